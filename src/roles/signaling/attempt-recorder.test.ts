import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createRecorder } from './attempt-recorder.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const apiKey = `ac_live_${'k'.repeat(40)}`
const header = { alg: 'none', typ: 'JWT' }
const claims = { sub: 'tt-1', jti: 'j-1', exp: 1_795_000_900 }

function record(token: string | null, issued: readonly string[] = []) {
  const journal = createJournal()
  const redactor = createRedactor()
  for (const jwt of issued) redactor.register('calling-jwt', jwt)
  createRecorder({ journal, redactor, clock: systemClock, runStart: 0 })({
    join: { url: 'wss://signal.example/ws', headers: [], protocols: [] },
    asked: { case: 'a token without its signature', token },
    startedAt: 0,
    events: [],
    verdict: 'closed with 4401',
  })
  return journal.drain()[0]
}

test.each([
  ['three parts', `${part(header)}.${part(claims)}.c2lnbmVkc2lnbmVk`],
  ['two parts', `${part(header)}.${part(claims)}`],
])('shows a forged token of %s decoded, without its signature, under its case', (_, token) => {
  const exchange = record(token)
  expect(exchange).toMatchObject({ case: 'a token without its signature', token: { header, claims } })
  expect(JSON.stringify(exchange)).not.toContain('c2lnbmVk')
})

test('shows no secret that a forged token states', () => {
  const text = JSON.stringify(record(`${part(header)}.${part({ ...claims, key: apiKey })}.c2ln`))
  expect(text).toContain('tt-1')
  expect(text).not.toContain(apiKey)
})

test.each([
  ['a token that the service issued', `${part(header)}.${part(claims)}.c2lnbmVk`, true],
  ['text that is no token', 'garbage', false],
  ['no credential', null, false],
])('decodes nothing of %s', (_, token, isIssued) => {
  const exchange = record(token, isIssued && token !== null ? [token] : [])
  expect(exchange?.case).toBe('a token without its signature')
  expect(exchange?.token).toBeUndefined()
})

test('shows beside a forged token the one that it was made from', () => {
  const other = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ ...claims, sub: 'tt-2', jti: 'j-2' })}.c2lnb3RoZXI`
  const original = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.c2lnbmVkc2lnbmVk`
  const exchange = record(`${part(header)}.${part(claims)}.`, [other, original])
  expect(exchange?.token).toEqual({
    header,
    claims,
    genuine: { header: { alg: 'ES256', typ: 'JWT' }, claims },
  })
  expect(JSON.stringify(exchange)).not.toContain('c2lnbmVkc2lnbmVk')
})

test('shows nothing beside a token that has nothing in common with the genuine ones', () => {
  const exchange = record(`${part({ a: 1 })}.${part({ b: 2 })}.`, [`${part(header)}.${part(claims)}.c2ln`])
  expect(exchange?.token).toEqual({ header: { a: 1 }, claims: { b: 2 } })
})
