import { expect, test } from 'vitest'
import { attack } from './attack.ts'
import { createJudge } from './judge.ts'

type Outcome = 'served' | 'rejected' | 'silent' | 'cached'

/** Attacks a part that answers each case by the next of its outcomes, and then always by the last. */
async function run(outcomes: Readonly<Record<string, readonly Outcome[]>>, recurs = false) {
  const sent: string[] = []
  const judge = createJudge('MUST')
  await attack(judge, {
    control: async () => undefined,
    recurs: () => recurs,
    cases: Object.keys(outcomes).map((name) => ({ name })),
    of: 'for',
    async send({ name }) {
      const all = outcomes[name] ?? []
      const outcome = all[Math.min(sent.filter((one) => one === name).length, all.length - 1)]
      sent.push(name)
      return {
        outcome,
        isUndecided: outcome === 'silent',
        unseen: outcome === 'cached' ? 'a cache answered' : null,
        evidence: [name],
      }
    },
    breaches: [
      {
        level: 'must',
        saw: ({ outcome }) => (outcome === 'served' ? 'a token' : null),
        expected: 'none',
        fix: (cases) => `Reject ${cases.length}.`,
      },
    ],
  })
  const { verdict, reason, findings } = judge.conclude()
  return { sent, verdict, reason, messages: findings.map(({ message }) => message) }
}

test('a breach names the cases that showed it', async () => {
  const { verdict, messages } = await run({ a: ['served'], b: ['rejected'], c: ['served'] })
  expect({ verdict, messages }).toEqual({
    verdict: 'fail',
    messages: ['saw a token for a and c; expected none. Reject 2.'],
  })
})

test.each([
  ['is rejected then', ['silent', 'rejected'], 'pass', null],
  ['is served then', ['silent', 'served'], 'fail', null],
  ['stays undecided', ['silent', 'silent'], 'untested', 'a rate limit, a gateway error or no response for a'],
] as const)('an undecided case is sent once more, and %s', async (_, outcomes, verdict, reason) => {
  const found = await run({ a: outcomes, b: ['rejected'] })
  expect(found).toMatchObject({ sent: ['a', 'b', 'a'], verdict, ...(reason !== null && { reason }) })
})

test('a part that decides no case is lost, and asked once more for the first alone', async () => {
  const { sent, verdict } = await run({ a: ['silent'], b: ['silent'] })
  expect({ sent, verdict }).toEqual({ sent: ['a', 'b', 'a'], verdict: 'error' })
})

test('a case whose response shows nothing is untested with its reason', async () => {
  const { verdict, reason } = await run({ a: ['cached'], b: ['rejected'] })
  expect({ verdict, reason }).toEqual({ verdict: 'untested', reason: 'a cache answered for a' })
})

test.each([
  ['all', { a: ['silent'], b: ['silent'] }, ['a', 'b', 'a']],
  ['some', { a: ['silent'], b: ['rejected'] }, ['a', 'b', 'a']],
  ['all at first', { a: ['silent', 'rejected'], b: ['silent'] }, ['a', 'b', 'a', 'b']],
] as const)(
  'silence that recurs is a rejection of %s, where a part may reject so',
  async (_, outcomes, sent) => {
    expect(await run(outcomes, true)).toMatchObject({ sent, verdict: 'pass' })
  },
)
