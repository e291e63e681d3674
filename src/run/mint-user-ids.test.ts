import { expect, test } from 'vitest'
import { Refusal, referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { documentedExample, sectionOf } from '../configuration/testing/documented.ts'
import { runCheck, sortByTurn } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import { preflight } from './preflight/preflight.ts'

const documented = sectionOf(await documentedExample('mint.md', 'mint.userIds'), 'mint')
const { from: known } = sectionOf(documented, 'userIds')
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
/** Those that name users: to the mint, and in forgeries and declarations. */
const ids = ['MINT-03', 'MINT-08', 'MINT-12', 'MINT-13', 'SIG-02', 'SIG-05', 'SIG-08', 'SIG-21', 'SIG-31']
const catalogue = (await loadCatalogue(['mint', 'signaling'])).filter(({ id }) => ids.includes(id))

async function judged(isKnown: (userId: string) => boolean, userIds: unknown) {
  const asked = new Set<string>()
  const userId = (value: unknown) => {
    const wanted = referenceMintPolicy.userId(value)
    asked.add(wanted)
    if (!isKnown(wanted)) throw new Refusal(400, 'invalid_user_id', 'no such user')
    return wanted
  }
  await using reference = await startReference({
    withoutDouble: true,
    variant: {
      mint: { userId },
      configuration: { backend: null, logs: null, mint: userIds === null ? {} : { userIds } },
    },
  })
  const problems = await preflight(reference.configuration, { parts: ['mint'] })
  await using session = await openSession(reference.configuration)
  const results = await Promise.all(sortByTurn(catalogue).map((check) => runCheck(check, session)))
  const bad = results.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  return {
    asked: [...asked],
    problems: problems.map(({ message }) => message),
    bad: bad.map(({ id, verdict, reason, findings }) => `${id} ${verdict} ${reason ?? findings[0]?.message}`),
  }
}

test('a mint that knows a few users is judged with those', async () => {
  const isKnown = (userId: string) => Array.isArray(known) && known.includes(userId)
  const { asked, bad, problems } = await judged(isKnown, { from: known })
  expect(bad).toEqual([])
  expect(problems).toEqual([])
  expect(known).toEqual(expect.arrayContaining(asked.filter(isKnown)))
})

test('a mint that knows UUIDs only is judged with made-up ones', async () => {
  const { bad } = await judged((userId) => uuid.test(userId), { pattern: 'uuid' })
  expect(bad).toEqual([])
})

test('without mint.userIds such a mint issues nothing, and the preflight says what to do', async () => {
  const { bad, problems } = await judged((userId) => uuid.test(userId), null)
  expect(bad.join('\n')).toContain('MINT-03 error')
  expect(problems.join('\n')).toContain('mint.userIds')
})
