import { expect, test } from 'vitest'
import type { HttpExchange, Party } from '../base/evidence/exchange.ts'
import { createHider, createLabeller } from '../base/evidence/hide.ts'
import { hideExchange, sentNames } from '../base/evidence/hide-exchange.ts'
import { createSecrets } from '../base/evidence/secrets.ts'
import { configuredNames, registerSecrets } from '../configuration/register-secrets.ts'
import { key, load, mint } from '../configuration/testing/load.ts'
import { runFormats } from './formats.ts'
import { hideResults, hiderOf } from './hide-results.ts'
import { parseResults } from './read-results.ts'
import type { RunResults } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

const unknown = 'q8Zk3vWmX2'

function http(from: Party, to: Party, at = 0): HttpExchange {
  const body = `{"error":"${unknown}"}`
  return {
    id: `x${at}`,
    kind: 'http',
    from,
    to,
    at,
    durationMs: 5,
    request: { method: 'POST', url: `/sent-${unknown}`, headers: [['x-sent', unknown]], body: unknown },
    response: { status: 401, statusText: unknown, headers: [[`x-${unknown}`, unknown]], body },
  }
}

const hider = createHider({ secrets: createSecrets(), fingerprintKey: 'a key' })

test.each([
  ['what a peer answers', 'suite', 'mint', ['response']],
  ['what a peer asks a double', 'backend', 'mint-double', ['request']],
  ['both sides between two parts', 'backend', 'mint', ['request', 'response']],
] as const)('masks %s, and leaves what the suite has sent', (_, from, to, masked) => {
  const exchange = http(from, to)
  const shown = hideExchange(exchange, hider) as HttpExchange
  for (const side of ['request', 'response'] as const)
    if (masked.some((one) => one === side)) expect(JSON.stringify(shown[side])).not.toContain(unknown)
    else expect(shown[side]).toEqual(exchange[side])
  expect(shown.response?.status).toBe(401)
  if (to === 'mint') expect(shown.response?.body).toMatch(/^\{"error":"‹10 characters #[0-9a-f]{4}›"\}$/)
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
  const claims = { sub: 'forgedq1w2', exp: 1_795_000_900 }
  const parts = { header: { alg: 'none', kid: unknown }, claims }
  const token = { ...parts, genuine: { ...parts, claims: { ...claims, sub: unknown } } }
  const sent = { ...http('suite', 'signaling'), case: 'a token without its signature', token }
  const shown = hideExchange(sent, hider)
  expect(shown.token?.claims).toEqual(claims)
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

/** A configuration, and a hider that knows it. */
async function knowingOf(text: string, variables: Readonly<Record<string, string>>) {
  const configuration = await load(text, variables)
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  return { configuration, knowing: hiderOf(new Set(), { configuration, secrets, fingerprintKey: 'a key' }) }
}

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
  const { knowing } = await knowingOf(`name: acmecorp\n${mint('')}`, { KEY: key })
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
  const { knowing } = await knowingOf(
    `${mint('')}client:\n  url: https://app.example.com/?api_key=querysecret9\n  driver: ./driver.mjs\n  users:\n    alice: { userId: u1, pin: 4711, login: { words: [open, sesame], password: "battery" } }\n`,
    { KEY: key },
  )
  const shown = knowing.text('4711 is wrong, sesame, "battery", querysecret9, error 4712')
  expect(shown).not.toMatch(/4711|sesame|battery|querysecret9/)
  expect(shown).toContain('is wrong')
})

test('what a variable has is secret wherever it stands; an address, a host and a number are not', async () => {
  const { configuration, knowing } = await knowingOf(
    `name: \${NAME}\n${mint('')}backend:\n  url: \${BASE}/issue/\${PATH_KEY}?access=\${PW}\n  sessions:\n    alice: { token: "\${SESSION}", userId: "\${ALICE}" }\nlimits:\n  requestSeconds: \${SECONDS}\n`,
    {
      ...{ KEY: key, NAME: 'acme', BASE: 'https://calls.acmehost.test', SECONDS: '9', ALICE: 'u-alice-1' },
      ...{ PW: "correct horse's", PATH_KEY: 'T00B00', SESSION: 'session' },
    },
  )
  const url = new URL(configuration.backend?.url ?? '').href
  const shown = [knowing.sent(url), knowing.text(`saw ${url} of u-alice-1 in 9 s`)]
  for (const one of shown) {
    expect(one).toContain('https://calls.acmehost.test/issue/‹secret, 6 characters')
    expect(one).not.toMatch(/horse|T00B00/)
  }
  expect(shown[1]).toContain('of u-alice-1 in 9 s')
})

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  return Object.entries(Object(value)).flatMap(([key, one]) => [key, ...wordsOf(one)])
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

let nested: unknown = 'leaf'
for (let level = 0; level < 50_000; level += 1) nested = { a: [nested] }
const circle: Record<string, unknown> = {}
circle['self'] = circle

test.each([
  ['nested 100,000 deep', nested],
  ['a big integer', { a: 12n }],
  ['a function', { a: () => 1 }],
  ['a circle', circle],
  ['numbers that JSON has not', [Number.NaN, Number.POSITIVE_INFINITY]],
  ['the field __proto__', JSON.parse('{"__proto__":{"a":1},"constructor":1}')],
])('an observation that is %s is written and rendered in every format', async (_, value) => {
  const observations = { 'mint.odd': value }
  const checks = frozenRun.checks.map((check) => ({ ...check, observations }))
  const results = hideResults({ ...frozenRun, checks, observations }, hider)
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
