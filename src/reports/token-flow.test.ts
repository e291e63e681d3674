import { expect, test } from 'vitest'
import type { Exchange } from '../base/evidence/exchange.ts'
import { findMisplacedCredentials } from './misplaced-credentials.ts'
import type { RunResults } from './results.ts'
import { renderTokenFlow } from './run/html/token-flow.ts'
import { frozenRun } from './testing/frozen-run.ts'
import { leakingRun } from './testing/leaking-run.ts'
import { elementsOf, parseXml, textOf } from './testing/parse-xml.ts'
import { buildTokenFlow } from './token-flow.ts'

const exchangeOf = (id: string): Exchange => {
  const found = leakingRun.exchanges.find((exchange) => exchange.id === id)
  if (found === undefined) throw new Error(`no exchange ${id}`)
  return found
}
const told = (run: RunResults) =>
  buildTokenFlow(run).arrows.map(
    ({ from, to, carries }) => `${from} → ${to}: ${carries.map(({ kind }) => kind).join(' ')}`,
  )
const without = (...ids: string[]): RunResults => ({
  ...leakingRun,
  exchanges: leakingRun.exchanges.filter(({ id }) => !ids.includes(id)),
})

test('follows one calling JWT from the session to signaling, also where it is carried encoded', () => {
  expect(told(leakingRun)).toEqual([
    'app → backend: session',
    'backend → mint: api-key session',
    'mint → backend: calling-jwt',
    'backend → app: calling-jwt',
    'app → signaling: calling-jwt',
    'signaling → app: ',
  ])
})

test('says who stood in for whom, and when each message went', () => {
  const { arrows, playedBy, mintHidden } = buildTokenFlow(leakingRun)
  expect(playedBy).toEqual({ app: 'the suite', mint: "the suite's double" })
  expect(mintHidden).toBe(false)
  expect(arrows.map(({ at }) => at)).toEqual([0, 10, 30, 45, 50, 65])
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

test('a mint that is judged alone is a flow, too', () => {
  expect(told(frozenRun)).toEqual([
    'backend → mint: api-key',
    'mint → backend: calling-jwt',
    'app → signaling: calling-jwt',
    'signaling → app: ',
  ])
  expect(buildTokenFlow(frozenRun).playedBy).toEqual({ app: 'the suite', backend: 'the suite' })
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
  expect(buildTokenFlow(leakingRun).arrows.map(({ leaked }) => leaked)).toEqual([
    [],
    ['session'],
    [],
    [],
    [],
    [],
  ])
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
  ['a session in a frame of signaling', 'session', { from: 'signaling', to: 'app', place: 'a frame' }],
  ['a key in a frame of signaling', 'api-key', { from: 'signaling', to: 'app', place: 'a frame' }],
])('%s is out of place', (_, kind, way) => {
  const joined = exchangeOf('x3')
  if (joined.kind !== 'websocket') throw new Error('x3 is no socket')
  const text = `{"seen":"‹${kind}, 37 characters, #dddd0001›"}`
  expect(
    findMisplacedCredentials({ ...joined, events: [...joined.events, { at: 170, type: 'frame', text }] }),
  ).toEqual([{ kind, ...way }])
})

test('judges messages of a client under test like those of any part', () => {
  const joined = exchangeOf('x3')
  if (joined.kind !== 'websocket') throw new Error('x3 is no socket')
  const text = '{"auth":"‹session, 37 characters, #aaaa0001›"}'
  const sent = { ...joined, from: 'client' as const, events: [{ at: 151, type: 'sent' as const, text }] }
  expect(findMisplacedCredentials(sent)).toEqual([
    { kind: 'session', from: 'app', to: 'signaling', place: 'a frame' },
  ])
})

test('a client that tells a third party is drawn with a lane for it', () => {
  const told = { ...exchangeOf('x1'), id: 'x9', from: 'client' as const, to: 'web' as const }
  const run = {
    ...leakingRun,
    checks: leakingRun.checks.map((check) => ({
      ...check,
      findings: check.findings.map((finding) => ({ ...finding, evidence: ['x9'] })),
    })),
    exchanges: [...leakingRun.exchanges, told],
  }
  expect(buildTokenFlow(run).leaks).toMatchObject([{ kind: 'session', from: 'app', to: 'elsewhere' }])
  expect(renderTokenFlow(run)).toContain('>elsewhere</text>')
  expect(renderTokenFlow(leakingRun)).not.toContain('elsewhere')
})

test('the drawing has a lane for each of the four, an arrow per message and the leaks in red', () => {
  const [drawing] = elementsOf(parseXml(renderTokenFlow(leakingRun)), 'svg')
  if (drawing === undefined) throw new Error('the page has no drawing')
  const groups = (name: string) =>
    elementsOf(drawing, 'g').filter(({ attributes }) => attributes['class']?.split(' ')[0] === name)
  expect(groups('lane').map((lane) => textOf(elementsOf(lane, 'text')[0] ?? lane))).toEqual([
    'app',
    'backend',
    'mint',
    'signaling',
  ])
  expect(groups('arrow')).toHaveLength(6)
  const captions = groups('leak').flatMap((leak) => elementsOf(leak, 'text').map(textOf))
  expect(captions).toContain('✕ sessionToken in the header x-trace · BACK-13')
  expect(captions).toContain('✕ API key in the body · BACK-08')
})

test('a violation has its place in the flow: at the request or the answer of the accused part', () => {
  expect(
    buildTokenFlow(leakingRun).arrows.map(({ from, to, violated }) => [`${from} → ${to}`, violated]),
  ).toEqual([
    ['app → backend', []],
    ['backend → mint', ['BACK-13', 'FLOW-04']],
    ['mint → backend', []],
    ['backend → app', ['BACK-08']],
    ['app → signaling', []],
    ['signaling → app', []],
  ])
})

test('where no token came through, the flow is what violations rest on', () => {
  const refused = { ...leakingRun.exchanges.find(({ id }) => id === 'x5'), response: undefined }
  const run = { ...leakingRun, exchanges: [refused as Exchange] }
  expect(
    buildTokenFlow(run).arrows.map(({ from, to, text, violated }) => [from, to, text, violated]),
  ).toEqual([
    ['app', 'backend', 'POST /calling/token', []],
    ['backend', 'app', 'no answer', ['BACK-08']],
  ])
  expect(renderTokenFlow(run)).toContain('no answer · ✕ BACK-08')
})
