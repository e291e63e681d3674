import { describe, expect, test } from 'vitest'
import { ControlLost } from '../base/inconclusive.ts'
import { createJudge } from './judge.ts'
import { cutShort } from './run.ts'

const seen = { saw: 'a', expected: 'b', fix: 'Change it.', evidence: ['x1'] }

describe('the verdict is the worst of its parts', () => {
  test('every part held', () => {
    const judge = createJudge('MUST')
    judge.must(true, seen)
    judge.should(true, seen)
    expect(judge.conclude()).toMatchObject({ verdict: 'pass', findings: [], reason: null })
  })

  test('only a softer part is broken', () => {
    for (const level of ['should', 'typical', 'advisory'] as const) {
      const judge = createJudge('MUST')
      judge.must(true, seen)
      judge[level](false, seen)
      expect(judge.conclude().verdict).toBe('warn')
    }
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

  test('a part left untested outranks those that held, one that does not apply does not', () => {
    const untested = createJudge('MUST')
    untested.must(true, seen)
    untested.untested('no key')
    expect(untested.conclude()).toMatchObject({ verdict: 'untested', reason: 'no key' })
    const notApplicable = createJudge('MUST')
    notApplicable.must(true, seen)
    notApplicable.notApplicable('no trial')
    expect(notApplicable.conclude().verdict).toBe('pass')
  })

  test('only parts that do not apply', () => {
    const judge = createJudge('MUST')
    judge.notApplicable('no trial')
    expect(judge.conclude().verdict).toBe('not-applicable')
  })

  test('an observation alone is never a pass', () => {
    const judge = createJudge('MUST')
    judge.must(true, seen)
    judge.onlyObserved('the token cannot be read')
    expect(judge.conclude().verdict).toBe('info')
  })

  test('nothing was judged', () => {
    expect(createJudge('MUST').conclude().verdict).toBe('error')
    expect(createJudge('INFO').conclude().verdict).toBe('info')
  })
})

describe('a sandwich', () => {
  test('holds the attack between two controls', async () => {
    const order: string[] = []
    const judge = createJudge('MUST')
    await judge.sandwich(
      async () => order.push('control'),
      async () => void order.push('attack'),
    )
    expect(order).toEqual(['control', 'attack', 'control'])
  })

  test('with a first control that is lost makes no attack', async () => {
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

  test('with a second control that is lost keeps violations of the attacks, and none of their warnings', async () => {
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
})

test('a finding ends with what to change, where the check says so', () => {
  const judge = createJudge('MUST')
  judge.must(false, { saw: 'status 200', expected: 'status 401 (4.2.1)', fix: 'Validate the session.' })
  judge.should(false, seen)
  expect(judge.conclude().findings.map(({ message }) => message)).toEqual([
    'saw status 200; expected status 401 (4.2.1). Validate the session.',
    'saw a; expected b. Change it.',
  ])
})

test('the same finding is told once', () => {
  const judge = createJudge('MUST')
  judge.must(false, seen)
  judge.must(false, seen)
  expect(judge.conclude().findings).toHaveLength(1)
})

test('a check that asserts nothing, or throws what no part did, is a defect; a lost control is none', () => {
  const concluded = (tell: (judge: ReturnType<typeof createJudge>) => void) => {
    const judge = createJudge('MUST')
    tell(judge)
    const { verdict, defect = false } = judge.conclude()
    return { verdict, defect }
  }
  expect(concluded(() => {})).toEqual({ verdict: 'error', defect: true })
  expect(concluded((judge) => judge.failed('internal error'))).toEqual({ verdict: 'error', defect: true })
  expect(concluded((judge) => judge.lost('the mint is down'))).toEqual({ verdict: 'error', defect: false })
})

test('keeps a violation that was found before the tokens of a run ran out', () => {
  const judge = createJudge('MUST')
  judge.must(false, { saw: 'the key in a page', expected: 'no key', fix: 'Remove it.' })
  expect(cutShort(judge.conclude(), 'no token was left')).toMatchObject({
    verdict: 'fail',
    findings: [{ verdict: 'fail' }],
  })
})

test('leaves a check untested that had found nothing when the tokens ran out', () => {
  const judge = createJudge('MUST')
  judge.passed()
  expect(cutShort(judge.conclude(), 'no token was left')).toMatchObject({ verdict: 'untested', findings: [] })
})
