import { expect, test } from 'vitest'
import type { Exchange } from '../base/evidence/exchange.ts'
import { findMisplacedCredentials } from './misplaced-credentials.ts'
import type { RunResults } from './results.ts'
import { renderTokenFlow } from './run/html/token-flow.ts'
import { leakingRun } from './testing/leaking-run.ts'
import { buildTokenFlow } from './token-flow.ts'

const exchangeOf = (id: string): Exchange => {
  const found = leakingRun.exchanges.find((exchange) => exchange.id === id)
  if (found === undefined) throw new Error(`no exchange ${id}`)
  return found
}
/** The way to signaling, with this message more. */
function joinedWith(change: Partial<Exchange>, type: 'frame' | 'sent', text: string): Exchange {
  const joined = exchangeOf('x3')
  if (joined.kind !== 'websocket') throw new Error('x3 is no socket')
  return { ...joined, ...change, events: [...joined.events, { at: 170, type, text }] } as Exchange
}
const told = (run: RunResults) =>
  buildTokenFlow(run).arrows.map(
    ({ from, to, carries }) => `${from} → ${to}: ${carries.map(({ kind }) => kind).join(' ')}`,
  )
const without = (...ids: string[]): RunResults => ({
  ...leakingRun,
  exchanges: leakingRun.exchanges.filter(({ id }) => !ids.includes(id)),
})

test('follows one calling JWT from the session to signaling', () => {
  expect(told(leakingRun)).toEqual([
    'app → backend: session',
    'backend → mint: api-key session',
    'mint → backend: calling-jwt',
    'backend → app: calling-jwt',
    'app → signaling: calling-jwt',
    'signaling → app: ',
  ])
})

test('knows the token again that was recorded before it was decoded', () => {
  const text = JSON.stringify(leakingRun.exchanges).replaceAll('‹calling-jwt,', '‹jwt,')
  expect(told({ ...leakingRun, exchanges: JSON.parse(text) })).toEqual(told(leakingRun))
})

test('does not make up what it did not see', () => {
  expect(told(without('x2'))).toEqual([
    'app → backend: session',
    'backend → app: calling-jwt',
    'app → signaling: calling-jwt',
    'signaling → app: ',
  ])
  expect(buildTokenFlow(without('x2')).mintHidden).toBe(true)
  const other = leakingRun.exchanges
    .filter(({ id }) => id === 'x2')
    .map((exchange) => ({ ...exchange, id: 'x2b', to: 'mint-double' as const, at: 0 }))
  const pausing = { ...without('x2'), exchanges: [...without('x2').exchanges, ...other] }
  expect(pausing.exchanges.some(({ to }) => to === 'mint-double')).toBe(true)
  expect(buildTokenFlow(pausing).mintHidden).toBe(false)
  expect(told(without('x1', 'x2', 'x3', 'x5'))).toEqual([])
  expect(renderTokenFlow({ ...without('x1', 'x2', 'x3', 'x5'), checks: [] })).toBe('')
})

test('finds a leak where a violation rests on it, with the requirements that speak of it', () => {
  expect(buildTokenFlow(leakingRun).leaks).toEqual([
    {
      kind: 'session',
      from: 'backend',
      to: 'mint',
      place: 'the header x-trace',
      requirements: ['BACK-13', 'FLOW-04'],
      exchanges: ['x2'],
    },
    {
      kind: 'api-key',
      from: 'backend',
      to: 'app',
      place: 'the body',
      requirements: ['BACK-08'],
      exchanges: ['x5'],
    },
  ])
  const leaking = buildTokenFlow(leakingRun).arrows.filter(({ leaked }) => leaked.length > 0)
  expect(leaking).toMatchObject([{ from: 'backend', to: 'mint', leaked: ['session'] }])
})

test('a misplaced credential without a violation is no leak', () => {
  const acquitted = leakingRun.checks.map((check) => ({ ...check, findings: [] }))
  expect(buildTokenFlow({ ...leakingRun, checks: acquitted }).leaks).toEqual([])
})

test('reports no leak for values that the suite offers, and for their echo', () => {
  expect(findMisplacedCredentials(exchangeOf('x4'))).toEqual([])
  expect(findMisplacedCredentials(exchangeOf('x1'))).toEqual([])
})

test.each([
  ['session', 'signaling', 'app', joinedWith({}, 'frame', '{"seen":"‹session, 37 characters, #dddd0001›"}')],
  ['api-key', 'signaling', 'app', joinedWith({}, 'frame', '{"seen":"‹api-key, 37 characters, #dddd0001›"}')],
  // A client under test is judged like any part.
  [
    'session',
    'app',
    'signaling',
    joinedWith({ from: 'client' }, 'sent', '{"auth":"‹session, 37 characters, #aaaa0001›"}'),
  ],
])('a %s in a frame from %s to %s is out of place', (kind, from, to, exchange) => {
  expect(findMisplacedCredentials(exchange)).toEqual([{ kind, from, to, place: 'a frame' }])
})
