import { expect, test } from 'vitest'
import { createJournal, type HttpExchange } from '../base/evidence/exchange.ts'
import { jumpingClock } from '../base/testing/stepping-clock.ts'
import { createJudge, type Judgement, type Try } from './judge.ts'
import { createOutages } from './outages.ts'
import { findStop, judgeStops } from './stops.ts'
import { recordHttp } from './testing/record-http.ts'

const journal = createJournal()

const exchange = (unavailable: HttpExchange['unavailable'], name?: string) =>
  recordHttp(journal, { to: 'mint', case: name, unavailable })

/** A try that sent these cases, and whose control then met this. */
function tryOf(cases: readonly string[], met: HttpExchange['unavailable']): Try {
  const sent = cases.map((name) => exchange(undefined, name))
  const control = exchange(met)
  const judge = createJudge('MUST')
  if (met === undefined) judge.passed()
  else judge.lost('control failed', [control])
  return { conclude: judge.conclude, exchanges: [...sent, control] }
}

function judged(first: Try, second: Try, level: 'MUST' | 'SHOULD' = 'MUST'): Judgement | null {
  const stop = findStop(first, journal)
  if (stop === null) return null
  return judgeStops({ level }, second.conclude(), { first: stop, second: findStop(second, journal) })
}

const stopped = () => tryOf(['a short key', 'an unknown key'], 'failing')

test('a part that stops behind the same case before and after a new start has failed, at the level of the requirement', () => {
  const judgement = judged(stopped(), tryOf(['an unknown key'], 'silent'))
  expect(judgement?.verdict).toBe('fail')
  expect(judgement?.findings.at(-1)?.seen).toBe(
    'the mint stop serving twice, each time after an unknown key, although it was restarted',
  )
  expect(judged(stopped(), stopped(), 'SHOULD')?.verdict).toBe('warn')
})

test('one that serves after a new start is judged then', () => {
  expect(judged(stopped(), tryOf(['an unknown key'], undefined))?.verdict).toBe('pass')
})

test('one that stops behind another case is an error', () => {
  expect(judged(stopped(), tryOf(['a short key'], 'failing'))?.verdict).toBe('error')
})

test.each<[string, Try]>([
  ['a try that was judged', tryOf(['an unknown key'], undefined)],
  ['a refused connection', tryOf(['an unknown key'], 'refusing')],
  ['a limit', tryOf(['an unknown key'], 'limited')],
  ['an outage before any case', tryOf([], 'failing')],
])('%s is no stop', (_, one) => {
  expect(findStop(one, journal)).toBeNull()
})

const fault = { met: 'the mint did not answer within 10 s', evidence: ['x1'] }

/** A part that serves from this second on; the clock moves only where it is waited for. */
function createPlayed(servesFrom: number) {
  let asked = 0
  const { clock } = jumpingClock()
  const outages = createOutages(clock, 20)
  const ask = async () => {
    asked += 1
    return clock.monotonic() < servesFrom * 1000 ? fault : null
  }
  return { outages, ask, asked: () => asked, now: clock.monotonic }
}

test('one that comes back within the patience is waited for, and then not asked again', async () => {
  const { outages, ask, asked, now } = createPlayed(5)
  outages.note('mint')
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  expect([now(), asked()]).toEqual([5000, 6])
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  expect(asked()).toBe(6)
})

test('one that outlasts the patience is given up, until a check is judged by it', async () => {
  const { outages, ask, asked, now } = createPlayed(100)
  outages.note('mint')
  outages.note('mint')
  expect(await outages.findFault(['mint'], ask)).toEqual(fault)
  const before = asked()
  expect(await outages.findFault(['signaling', 'mint'], ask)).toEqual(fault)
  expect([now(), asked()]).toEqual([20_000, before])
  expect(outages.faultOf(['signaling', 'mint'])).toEqual(fault)
  outages.noteServing('mint')
  expect(outages.faultOf(['signaling', 'mint'])).toBeNull()
})
