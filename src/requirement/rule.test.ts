import { expect, test } from 'vitest'
import { createJournal, type FaultyExchange } from '../base/evidence/exchange.ts'
import {
  createJudge,
  describeBreach,
  type Finding,
  type Judgement,
  type Observed,
  type Try,
} from './judge.ts'
import { chooseTry, createSecondTries, findDoubt, judgeAgain } from './rule.ts'

const faultless = { faultOf: () => null }
const finding = (verdict: Finding['verdict'], message: string): Finding => ({
  level: 'MUST',
  verdict,
  message,
  evidence: [],
})

function choose(first: Partial<Judgement>, second: Partial<Judgement>): Judgement {
  const ready = (judgement: Partial<Judgement>) => ({
    conclude: () => ({
      verdict: 'pass' as const,
      reason: null,
      findings: [],
      observations: {},
      ...judgement,
    }),
  })
  return chooseTry(ready(first), ready(second), faultless)
}

test('a clean second try keeps the violation of the first', () => {
  const chosen = choose(
    { verdict: 'fail', findings: [finding('fail', 'a leak'), finding('error', 'lost')] },
    {},
  )
  expect(chosen).toMatchObject({ verdict: 'fail', findings: [{ message: 'a leak' }] })
})

test('a clean second try keeps the warning of the first', () => {
  expect(choose({ verdict: 'error', findings: [finding('warn', 'late')] }, {}).verdict).toBe('warn')
})

test('names a violation of both tries once', () => {
  const violation = (saw: string, name?: string) =>
    ({
      verdict: 'fail',
      findings: [
        describeBreach(
          { level: 'MUST', verdict: 'fail' },
          { case: name, saw, expected: 'no leak', fix: 'Close it.' },
        ),
      ],
    }) as const
  expect(choose(violation('a leak after 3 s'), violation('another leak of tt-1')).findings).toHaveLength(1)
  expect(choose(violation('a leak', 'in a cookie'), violation('a leak', 'in a URL')).findings).toHaveLength(2)
})

test('replaces a first try that only lost its control', () => {
  expect(choose({ verdict: 'error', findings: [finding('error', 'lost')] }, {})).toMatchObject({
    verdict: 'pass',
    findings: [],
  })
})

test('keeps a first try where the second lost its control, too', () => {
  expect(choose({ verdict: 'untested' }, { verdict: 'error' }).verdict).toBe('untested')
})

const absent = { saw: 'no new call', expected: 'a new call', fix: 'Call again.', isAbsence: true } as const

function tryOf(observed: Observed | null, standstillMs = 0): Try {
  const judge = createJudge('MUST')
  if (observed === null) judge.passed()
  else judge.must(false, observed)
  return { conclude: judge.conclude, standstillMs }
}

const silence: FaultyExchange = { from: 'suite', to: 'mint', fault: 'did not answer within 2 s' }

/** Judges a client's check by these tries. Exchanges of the given ids met faults; ordinary requests are numbered. */
async function judged(first: Try, second: Try, faults: Readonly<Record<string, FaultyExchange>> = {}) {
  let requests = 0
  const mint = { minTtlSeconds: 1, request: async () => ({ exchange: `ordinary ${++requests}` }) }
  const session = {
    journal: { ...createJournal(), faultOf: (id: string) => faults[id] ?? null },
    secondTries: createSecondTries(),
    contextFor: () => ({ available: (part: string) => (part === 'mint' ? mint : undefined) }) as never,
  }
  const check = { id: 'CLI-99', role: 'client' } as never
  const doubt = findDoubt(check, first, session)
  if (doubt === null) return { ...first.conclude(), tries: 1 }
  let tries = 1
  const again = async () => {
    tries += 1
    return second
  }
  const judgement = await judgeAgain(check, session, { first, doubt, again })
  return { ...judgement, tries }
}

test('an absence that recurs is a violation, one that does not is none', async () => {
  expect(await judged(tryOf(absent), tryOf(absent))).toMatchObject({ verdict: 'fail', tries: 2 })
  expect(await judged(tryOf(absent), tryOf(null))).toMatchObject({
    verdict: 'error',
    reason: 'saw no new call, but not on a retry',
  })
})

// Three ordinary requests are sent before the second try, and three behind it.
test.each([
  ['before', 1, { tries: 1 }],
  ['behind', 5, { tries: 2 }],
])('an absence is no violation where ordinary requests fail %s the second try', async (_, number, made) => {
  const silent = tryOf({ ...absent, evidence: ['case'] })
  expect(await judged(silent, silent, { case: silence })).toMatchObject({ verdict: 'fail', tries: 2 })
  expect(await judged(silent, silent, { case: silence, [`ordinary ${number}`]: silence })).toMatchObject({
    ...made,
    verdict: 'error',
    reason: `the mint ${silence.fault}, and an ordinary request failed as well: the mint ${silence.fault}`,
  })
})

const present = { saw: 'a second call', expected: 'no second call', fix: 'Call once.' }

test('what was there to see stands without a second try', async () => {
  expect(await judged(tryOf(present), tryOf(null))).toMatchObject({ verdict: 'fail', tries: 1 })
})

test('a try in which this machine kept going counts instead of one in which it stood still', async () => {
  const still = tryOf(present, 7000)
  const reason = 'this machine froze for 7 of 8 s; clients may have given up in that time'
  expect(await judged(still, tryOf(present))).toMatchObject({ verdict: 'fail', tries: 2 })
  expect(await judged(still, tryOf(null))).toMatchObject({ verdict: 'pass', findings: [], tries: 2 })
  expect(await judged(still, tryOf(absent))).toMatchObject({
    verdict: 'error',
    reason: `${reason}, but not on a retry`,
  })
  expect(await judged(still, still)).toMatchObject({
    verdict: 'error',
    reason: `${reason}, in each of two tries: judge it on a machine that is less busy`,
  })
})

const unread: FaultyExchange = { from: 'client', to: 'backend-double', fault: 'gave up' }

test('a pass of a client that gave up waiting counts where it did not on a retry', async () => {
  const givenUp = (observed: Observed | null) => ({ ...tryOf(observed), exchanges: ['call'] })
  const judgedWith = (first: Try, second: Try) => judged(first, second, { call: unread })
  expect(await judgedWith(givenUp(null), tryOf(null))).toMatchObject({ verdict: 'pass', tries: 2 })
  expect(await judgedWith(givenUp(null), givenUp(present))).toMatchObject({ verdict: 'fail', tries: 2 })
  for (const second of [givenUp(null), tryOf(absent)])
    expect(await judgedWith(givenUp(null), second)).toMatchObject({ verdict: 'untested', tries: 2 })
  expect(await judgedWith(givenUp(present), tryOf(null))).toMatchObject({ verdict: 'fail', tries: 1 })
})

test('a secret that was seen while this machine stood still was seen', async () => {
  const leak = tryOf({ ...present, isShown: true }, 7000)
  expect(await judged(leak, tryOf(null))).toMatchObject({ verdict: 'fail', tries: 1 })
})
