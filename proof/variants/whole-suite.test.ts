import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck, sortByPhase } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

// Requirements that run at once must not hide from each other what each finds alone.

const catalogue = await loadCatalogue(['signaling'])

/** A server in which the next user to connect is the user of all whose token is being verified. */
function keepingUser(): NonNullable<Variant['signaling']> {
  let current = ''
  return {
    async identify(_, usual) {
      const verified = await usual()
      current = verified.userId
      await setTimeout(300)
      return verified
    },
    welcome: {
      frames: () => [JSON.stringify({ type: 'welcome', userId: current })],
      sign: { frame: { path: '$.type', equals: 'welcome' } },
    },
  }
}

test('SIG-05 catches signaling that keeps the user in a variable, also where all requirements are judged', async () => {
  await using reference = await startReference({ variant: { signaling: keepingUser() } })
  await using session = await openSession(reference.configuration, { wait: false })
  const results = await Promise.all(sortByPhase(catalogue).map((check) => runCheck(check, session)))
  const { verdict, findings } = results.find(({ id }) => id === 'SIG-05') ?? { verdict: null, findings: [] }
  expect(verdict).toBe('fail')
  expect(findings[0]).toMatchObject({
    seen: expect.stringContaining('another user named as the one who joined'),
  })
})
