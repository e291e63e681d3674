import { expect, test } from 'vitest'
import type { HttpExchange, Party } from '../base/evidence/exchange.ts'
import { createMask } from '../base/evidence/mask/mask.ts'
import { maskExchange, sentNames } from '../base/evidence/mask/mask-exchange.ts'
import { createRedactor } from '../base/evidence/redact.ts'
import { configuredNames } from '../configuration/configured-names.ts'
import { registerSecrets } from '../configuration/register-secrets.ts'
import { key, load, mint } from '../configuration/testing/load.ts'
import { maskOf, maskResults } from './mask-results.ts'
import { resultsOf } from './results.ts'

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

const mask = createMask({ fingerprintKey: 'a key' })

test('masks what a peer answers, and leaves what the suite has sent', () => {
  const shown = maskExchange(http('suite', 'mint'), mask)
  expect(shown.request).toEqual(http('suite', 'mint').request)
  expect(JSON.stringify(shown.response)).not.toContain(unknown)
  expect(shown.response?.status).toBe(401)
  expect(shown.response?.body).toMatch(/^\{"error":"‹10 characters #[0-9a-f]{4}›"\}$/)
})

test('masks what a peer asks a double, and leaves the answer', () => {
  const shown = maskExchange(http('backend', 'mint-double'), mask)
  expect(JSON.stringify(shown.request)).not.toContain(unknown)
  expect(shown.response).toEqual(http('backend', 'mint-double').response)
})

test('masks both sides between two parts', () => {
  expect(JSON.stringify(maskExchange(http('backend', 'mint'), mask))).not.toContain(unknown)
})

test.each([
  ['suite', 'signaling', 'sent', 'frame'],
  ['client', 'signaling-double', 'frame', 'sent'],
] as const)('between %s and %s, what is %s is the suite’s own', (from, to, own, other) => {
  const shown = maskExchange(
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
    mask,
  )
  const texts = shown.kind === 'websocket' ? shown.events.map(({ text }) => text) : []
  expect(texts).toEqual([
    unknown,
    expect.stringMatching(/^‹10 characters #\w{4}›$/),
    expect.stringMatching(/^4401 ‹10 characters #\w{4}›$/),
  ])
})

test('a peer that repeats what the suite has sent tells nothing new; the suite that repeats a peer does', () => {
  const sent = http('suite', 'mint', 10)
  expect(sentNames([sent])).toContain(unknown)
  expect(sentNames([http('backend', 'mint-double', 1), sent])).not.toContain(unknown)
})

test('findings, reasons and observations quote no more than the exchanges show', async () => {
  const judged = resultsOf({
    target: 'a target',
    startedAt: new Date(0),
    durationMs: 1,
    seed: 1,
    interrupted: false,
    checks: [
      {
        id: 'MINT-01',
        title: 'a requirement',
        role: 'mint',
        level: 'MUST',
        clauses: [],
        verdict: 'fail',
        reason: `the mint said ${unknown}`,
        durationMs: 1,
        findings: [
          {
            level: 'MUST',
            verdict: 'fail',
            message: `saw "${unknown}" at acmecorp; expected 3600 s`,
            seen: `"${unknown}" at acmecorp`,
            expected: '3600 s',
            advice: 'Correct it.',
            case: `"${unknown}"`,
            evidence: [],
          },
        ],
        observations: { 'mint.oddName7': { [unknown]: unknown } },
      },
    ],
    exchanges: [],
  })
  const configuration = await load(`name: acmecorp\n${mint('')}`, { KEY: key })
  const knowing = maskOf(new Set(), { configuration, redactor: createRedactor(), fingerprintKey: 'a key' })
  const shown = maskResults(judged, knowing)
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
  const names = [...configuredNames(configuration, createRedactor())]
  expect(names).toEqual(expect.arrayContaining(['acmecorp', 'acmehost', 'alice7q']))
  expect(names.join(' ')).not.toMatch(new RegExp(`${unknown}|${key}|sessiontokenq1w2e3|z9x8c7`))
})

test('a driver’s credentials are hidden, also nested and short ones', async () => {
  const configuration = await load(
    `${mint('')}client:\n  url: https://app.example.com/?api_key=querysecret9\n  driver: ./driver.mjs\n  users:\n    alice: { userId: u1, pin: 4711, login: { words: [open, sesame], password: "battery" } }\n`,
    { KEY: key },
  )
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  const knowing = maskOf(new Set(), { configuration, redactor, fingerprintKey: 'a key' })
  const shown = knowing.text(redactor.received('4711 is wrong, sesame, "battery", querysecret9, error 4712'))
  expect(shown).not.toMatch(/4711|sesame|battery|querysecret9/)
  expect(shown).toContain('is wrong')
})
