import { expect, test } from 'vitest'
import type { HttpExchange, Party } from '../base/evidence/exchange.ts'
import { createHider, createLabeller } from '../base/evidence/hide.ts'
import { hideExchange, sentNames } from '../base/evidence/hide-exchange.ts'
import { createSecrets } from '../base/evidence/secrets.ts'
import { configuredNames } from '../configuration/configured-names.ts'
import { registerSecrets } from '../configuration/register-secrets.ts'
import { key, load, mint } from '../configuration/testing/load.ts'
import { runFormats } from './formats.ts'
import { hideResults, hiderOf } from './hide-results.ts'
import { parseResults } from './read-results.ts'
import type { RunResults } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

const unknown = 'q8Zk3vWmX2'

function http(from: Party, to: Party, at = 0): HttpExchange {
  return {
    id: `x${at}`,
    kind: 'http',
    from,
    to,
    at,
    durationMs: 5,
    request: {
      method: 'POST',
      url: `/sent-${from}-${unknown}`,
      headers: [['x-sent', unknown]],
      body: unknown,
    },
    response: {
      status: 401,
      statusText: unknown,
      headers: [[`x-${unknown}`, unknown]],
      body: `{"error":"${unknown}"}`,
    },
  }
}

const hider = createHider({ secrets: createSecrets(), fingerprintKey: 'a key' })

const hideHttp = (from: Party, to: Party) => hideExchange(http(from, to), hider) as HttpExchange

test('masks what a peer answers, and leaves what the suite has sent', () => {
  const shown = hideHttp('suite', 'mint')
  expect(shown.request).toEqual(http('suite', 'mint').request)
  expect(JSON.stringify(shown.response)).not.toContain(unknown)
  expect(shown.response?.status).toBe(401)
  expect(shown.response?.body).toMatch(/^\{"error":"‹10 characters #[0-9a-f]{4}›"\}$/)
})

test('masks what a peer asks a double, and leaves the answer', () => {
  const shown = hideHttp('backend', 'mint-double')
  expect(JSON.stringify(shown.request)).not.toContain(unknown)
  expect(shown.response).toEqual(http('backend', 'mint-double').response)
})

test('masks both sides between two parts', () => {
  expect(JSON.stringify(hideHttp('backend', 'mint'))).not.toContain(unknown)
})

test.each([
  ['suite', 'signaling', 'sent', 'frame'],
  ['client', 'signaling-double', 'frame', 'sent'],
] as const)('between %s and %s, what is %s is the suite’s own', (from, to, own, other) => {
  const shown = hideExchange(
    {
      id: 'x1',
      kind: 'websocket',
      from,
      to,
      at: 0,
      durationMs: 1,
      request: { url: 'wss://signaling.test/ws', headers: [] },
      events: [
        { at: 0, type: own, text: unknown },
        { at: 1, type: other, text: unknown },
        { at: 2, type: 'close', text: `4401 ${unknown}` },
      ],
      verdict: 'was closed with 4401',
    },
    hider,
  )
  const texts = shown.kind === 'websocket' ? shown.events.map(({ text }) => text) : []
  expect(texts).toEqual([
    unknown,
    expect.stringMatching(/^‹10 characters #\w{4}›$/),
    expect.stringMatching(/^4401 ‹10 characters #\w{4}›$/),
  ])
})

test('of a forged token, what the genuine one has too is a peer’s, and the rest the suite’s own', () => {
  const parts = (sub: string) => ({
    header: { alg: 'none', kid: unknown },
    claims: { sub, exp: 1_795_000_900 },
  })
  const token = { ...parts('forgedq1w2'), genuine: parts(unknown) }
  const shown = hideExchange(
    { ...http('suite', 'signaling'), case: 'a token without its signature', token },
    hider,
  )
  expect(shown.token?.claims).toEqual({ sub: 'forgedq1w2', exp: 1_795_000_900 })
  expect(JSON.stringify(shown.token)).not.toContain(unknown)
  expect(shown.case).toBe('a token without its signature')
})

test('a peer that repeats what the suite has sent tells nothing new; the suite that repeats a peer does', () => {
  const sent = http('suite', 'mint', 10)
  expect(sentNames([sent], createSecrets())).toContain(unknown)
  expect(sentNames([http('backend', 'mint-double', 1), sent], createSecrets())).not.toContain(unknown)
})

test('the domain that a client has asked is named, and not what it says below it', () => {
  const asked = http('client', 'web')
  const url = `https://${unknown.toLowerCase()}.zyxtrack.io/${unknown}`
  const names = sentNames([{ ...asked, request: { ...asked.request, url } }], createSecrets())
  expect([...names]).toEqual(['zyxtrack', 'io'])
})

test('findings, reasons and observations quote no more than the exchanges show', async () => {
  const [check] = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  if (check === undefined) throw new Error('the frozen run has no violation')
  const finding = {
    level: 'MUST',
    verdict: 'fail',
    message: `saw "${unknown}" at acmecorp; expected 3600 s`,
    seen: `"${unknown}" at acmecorp`,
    expected: '3600 s',
    advice: 'Correct it.',
    case: `"${unknown}"`,
    evidence: [],
  } as const
  const observations = { 'mint.oddName7': { [unknown]: unknown } }
  const judged: RunResults = {
    ...frozenRun,
    checks: [{ ...check, reason: `the mint said ${unknown}`, findings: [finding], observations }],
    observations,
  }
  const configuration = await load(`name: acmecorp\n${mint('')}`, { KEY: key })
  const knowing = hiderOf(new Set(), { configuration, secrets: createSecrets(), fingerprintKey: 'a key' })
  const shown = hideResults(judged, knowing)
  expect(JSON.stringify(shown)).not.toContain(unknown)
  expect(shown.checks[0]?.findings[0]?.message).toMatch(
    /^saw "‹10 characters #\w{4}›" at acmecorp; expected 3600 s$/,
  )
  expect(shown.checks[0]?.verdict).toBe('fail')
  expect(Object.keys(shown.observations)).toEqual(['mint.oddName7'])
})

test('the names of a configuration are no passwords, keys or commands', async () => {
  const configuration = await load(
    `name: acmecorp\n${mint('')}backend:\n  url: https://calls.acmehost.test/issue?pw=${unknown}\n  sessions:\n    alice: { token: sessiontokenq1w2e3, userId: alice7q }\nhooks:\n  rotateKeys: { command: "rotatethem --with z9x8c7" }\n`,
    { KEY: key },
  )
  const names = [...configuredNames(configuration, createSecrets())]
  expect(names).toEqual(expect.arrayContaining(['acmecorp', 'acmehost', 'alice7q']))
  expect(names.join(' ')).not.toMatch(new RegExp(`${unknown}|${key}|sessiontokenq1w2e3|z9x8c7`))
})

test('a driver’s credentials are hidden, also nested and short ones', async () => {
  const configuration = await load(
    `${mint('')}client:\n  url: https://app.example.com/?api_key=querysecret9\n  driver: ./driver.mjs\n  users:\n    alice: { userId: u1, pin: 4711, login: { words: [open, sesame], password: "battery" } }\n`,
    { KEY: key },
  )
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  const knowing = hiderOf(new Set(), { configuration, secrets, fingerprintKey: 'a key' })
  const shown = knowing.text('4711 is wrong, sesame, "battery", querysecret9, error 4712')
  expect(shown).not.toMatch(/4711|sesame|battery|querysecret9/)
  expect(shown).toContain('is wrong')
})

test('what a variable has is secret wherever it stands; an address, a host and a number are not', async () => {
  const configuration = await load(
    `name: \${NAME}\n${mint('')}backend:\n  url: \${BASE}/issue/\${PATH_KEY}?access=\${PW}\n  sessions:\n    alice: { token: "\${SESSION}", userId: "\${ALICE}" }\nlimits:\n  requestSeconds: \${SECONDS}\n`,
    {
      ...{ KEY: key, NAME: 'acme', BASE: 'https://calls.acmehost.test', SECONDS: '9', ALICE: 'u-alice-1' },
      ...{ PW: "correct horse's", PATH_KEY: 'T00B00', SESSION: 'session' },
    },
  )
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  const knowing = hiderOf(new Set(), { configuration, secrets, fingerprintKey: 'a key' })
  const url = new URL(configuration.backend?.url ?? '').href
  const shown = [knowing.sent(url), knowing.text(`saw ${url} of u-alice-1 in 9 s`)]
  for (const one of shown) {
    expect(one).toContain('https://calls.acmehost.test/issue/‹secret, 6 characters')
    expect(one).not.toMatch(/horse|T00B00/)
  }
  expect(shown[1]).toContain('of u-alice-1 in 9 s')
})

/** Every key and every text of a result. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...wordsOf(one),
  ])
}

function nest(depth: number): unknown {
  let value: unknown = 'leaf'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

test('secrets that are words of the structure change nothing of it', () => {
  const { exchanges: _, ...structure } = frozenRun
  const words = new Set(wordsOf(structure).filter((word) => /^[\w-]{6,24}$/.test(word)))
  expect(words.size).toBeGreaterThan(20)
  const secrets = createSecrets()
  for (const word of words) secrets.register('session', word)
  const results = hideResults(frozenRun, createLabeller(secrets))
  const shape = ({ checks, summary, outcome, seed, startedAt }: RunResults) => ({
    checks: checks.map(({ id, verdict, level, role, clauses, findings }) => ({
      ...{ id, verdict, level, role, clauses },
      findings: findings.map(({ evidence, ...finding }) => [finding.level, finding.verdict, evidence]),
    })),
    ...{ summary, outcome, seed, startedAt },
  })
  expect(shape(results)).toEqual(shape(frozenRun))
  expect(results.exchanges.map(({ id, kind, from, to }) => [id, kind, from, to])).toEqual(
    frozenRun.exchanges.map(({ id, kind, from, to }) => [id, kind, from, to]),
  )
  expect(parseResults(JSON.stringify(results), 'results.json')).toEqual(results)
})

test.each([
  ['nested 100,000 deep', nest(100_000)],
  ['a big integer', { a: 12n }],
  ['a function', { a: () => 1 }],
  [
    'a circle',
    (() => {
      const circle: Record<string, unknown> = {}
      circle['self'] = circle
      return circle
    })(),
  ],
  ['numbers that JSON has not', [Number.NaN, Number.POSITIVE_INFINITY]],
  ['the field __proto__', JSON.parse('{"__proto__":{"a":1},"constructor":1}')],
])('an observation that is %s is written and rendered in every format', async (_, value) => {
  const [check, ...others] = frozenRun.checks
  if (check === undefined) throw new Error('the frozen run has no checks')
  const odd: RunResults = {
    ...frozenRun,
    checks: [{ ...check, observations: { 'mint.odd': value } }, ...others],
    observations: { 'mint.odd': value },
  }
  const results = hideResults(odd, hider)
  const read = parseResults(JSON.stringify(results), 'results.json')
  expect(read.checks.map(({ id }) => id)).toEqual(frozenRun.checks.map(({ id }) => id))
  for (const load of Object.values(runFormats)) expect((await load())(results)).not.toBe('')
})

test('names of fields that are the same once they are hidden are all kept', () => {
  const secrets = createSecrets()
  for (const name of ['sess-0b1c2d3e4f', 'sess-1b1c2d3e4f']) secrets.register('session', name)
  const observations = { 'mint.echo': { 'sess-0b1c2d3e4f': 1, 'sess-1b1c2d3e4f': 2, 'sess-0b1c2d3e4f ': 3 } }
  const results = hideResults({ ...frozenRun, observations }, createLabeller(secrets))
  expect(Object.values(results.observations['mint.echo'] ?? {})).toEqual([1, 2, 3])
  expect(JSON.stringify(results)).not.toContain('b1c2d3e4f')
})
