import { expect, test } from 'vitest'
import { ControlLost } from '../base/inconclusive.ts'
import { createJudge, type Judgement } from './judge.ts'
import { cutShort } from './run.ts'

const seen = { saw: 'a', expected: 'b', fix: 'Change it.', evidence: ['x1'] }

type Concluding = ReturnType<typeof createJudge>

test.each<[string, (judge: Concluding) => unknown, Judgement['verdict']]>([
  ['every part held', (judge) => judge.should(true, seen), 'pass'],
  ['a recommendation is broken', (judge) => judge.should(false, seen), 'warn'],
  ['what is typical is not so', (judge) => judge.typical(false, seen), 'warn'],
  ['an advice is not followed', (judge) => judge.advisory(false, seen), 'warn'],
  ['a part is untested', (judge) => judge.untested('no key'), 'untested'],
  ['a part does not apply', (judge) => judge.notApplicable('no trial'), 'pass'],
  ['a part was only observed', (judge) => judge.onlyObserved('the token cannot be read'), 'info'],
])('the verdict beside a part that held is the worst where %s', (_, tell, verdict) => {
  const judge = createJudge('MUST')
  judge.must(true, seen)
  tell(judge)
  expect(judge.conclude().verdict).toBe(verdict)
})

test('a violation outranks a lost control and a part left untested', () => {
  const judge = createJudge('MUST')
  judge.untested('no key')
  judge.lost('no answer')
  judge.must(false, seen)
  expect(judge.conclude()).toMatchObject({
    verdict: 'fail',
    findings: [{ message: 'saw a; expected b. Change it.', level: 'MUST', evidence: ['x1'] }],
  })
})

test('nothing was judged', () => {
  const onlyInapplicable = createJudge('MUST')
  onlyInapplicable.notApplicable('no trial')
  expect(onlyInapplicable.conclude().verdict).toBe('not-applicable')
  expect(createJudge('MUST').conclude().verdict).toBe('error')
  expect(createJudge('INFO').conclude().verdict).toBe('info')
})

test('a sandwich holds the attack between two controls', async () => {
  const order: string[] = []
  const judge = createJudge('MUST')
  await judge.sandwich(
    async () => order.push('control'),
    async () => void order.push('attack'),
  )
  expect(order).toEqual(['control', 'attack', 'control'])
})

test('a sandwich with a first control that is lost makes no attack', async () => {
  const judge = createJudge('MUST')
  let attacked = false
  const run = judge.sandwich(
    () => Promise.reject(new ControlLost('no token')),
    async () => {
      attacked = true
    },
  )
  await expect(run).rejects.toThrow(ControlLost)
  expect(attacked).toBe(false)
})

test('a sandwich with a second control that is lost keeps violations of the attacks, and none of their warnings', async () => {
  const judge = createJudge('MUST')
  judge.should(false, { ...seen, saw: 'a warning from before' })
  let controls = 0
  const run = judge.sandwich(
    () => (++controls === 1 ? Promise.resolve() : Promise.reject(new ControlLost('refused'))),
    async () => {
      judge.must(false, { ...seen, saw: 'a token' })
      judge.typical(false, { ...seen, saw: 'status 403' })
    },
  )
  await expect(run).rejects.toThrow(ControlLost)
  expect(judge.conclude().findings.map((finding) => finding.seen)).toEqual([
    'a warning from before',
    'a token',
  ])
})

test('the same finding is told once', () => {
  const judge = createJudge('MUST')
  judge.must(false, seen)
  judge.must(false, seen)
  expect(judge.conclude().findings).toHaveLength(1)
})

test('a check that asserts nothing, or throws what no part did, is a defect; a lost control is none', () => {
  const concluded = (tell: (judge: Concluding) => void) => {
    const judge = createJudge('MUST')
    tell(judge)
    const { verdict, defect = false } = judge.conclude()
    return { verdict, defect }
  }
  expect(concluded(() => {})).toEqual({ verdict: 'error', defect: true })
  expect(concluded((judge) => judge.failed('internal error'))).toEqual({ verdict: 'error', defect: true })
  expect(concluded((judge) => judge.lost('the mint is down'))).toEqual({ verdict: 'error', defect: false })
})

test.each<[string, (judge: Concluding) => unknown, object]>([
  ['had passed is untested', (judge) => judge.passed(), { verdict: 'untested', findings: [] }],
  [
    'had failed fails',
    (judge) => judge.must(false, seen),
    { verdict: 'fail', findings: [{ verdict: 'fail' }] },
  ],
])('a check that %s when the tokens of a run run out', (_, tell, expected) => {
  const judge = createJudge('MUST')
  tell(judge)
  expect(cutShort(judge.conclude(), 'no token was left')).toMatchObject(expected)
})
