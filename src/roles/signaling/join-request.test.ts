import { expect, test } from 'vitest'
import { checkProfile, declaresUser, findOracleGap } from './check-profile.ts'
import { buildJoinRequest } from './join-request.ts'
import type { SignalingProfile } from './profile.ts'
import { quickProfile } from './testing/loopback.ts'

const url = 'wss://signal.example/ws?v=2#x'
const request = { token: 'a.b.c', declaredUser: 'u 1"&' }
const profile = (part: Partial<SignalingProfile>): SignalingProfile => ({ ...quickProfile, ...part })

test('an own header takes the place of the one that every attempt sends', () => {
  const headers = { Origin: 'https://app.example', 'X-Tenant': 'acme' }
  const own = { ...request, headers: [['origin', 'https://evil.example']] as const }
  expect(buildJoinRequest(url, profile({ headers }), own)).toMatchObject({
    headers: [
      ['X-Tenant', 'acme'],
      ['origin', 'https://evil.example'],
      ['Authorization', 'Bearer a.b.c'],
    ],
  })
})

test('a random path is another one in every attempt', () => {
  const urlOf = () => {
    const join = buildJoinRequest(url, profile({ path: '/{random}/{random}/websocket' }), request)
    return typeof join === 'string' ? '' : join.url
  }
  const urls = [urlOf(), urlOf()]
  for (const one of urls)
    expect(one).toMatch(/^wss:\/\/signal\.example\/ws\/(\w{8})\/(?!\1)\w{8}\/websocket\?v=2$/)
  expect(urls[0]).not.toBe(urls[1])
})

test.each<[SignalingProfile['carriage'], string]>([
  [{ in: 'subprotocol', protocols: ['{jwt}'] }, 'a/b'],
  [{ in: 'subprotocol', protocols: ['{jwt}'] }, 'YWI='],
  [{ in: 'subprotocol', protocols: ['{jwt}'] }, ''],
  [{ in: 'subprotocol', protocols: ['v2', '{jwt}'] }, 'v2'],
  [{ in: 'cookie', name: 'ct' }, 'a;b'],
  [{ in: 'header', name: 'Authorization', template: '{jwt}' }, 'a\r\nX: y'],
  [{ in: 'header', name: 'Authorization', template: '{jwt}' }, 'ü'],
])('a join request is not sent where the credential is not legal: %j with %j', (carriage, token) => {
  expect(buildJoinRequest(url, profile({ carriage }), { token })).toBeTypeOf('string')
})

test('puts nothing into what it has put in', () => {
  const carriage = { in: 'message', template: '{jwt} {userId}', after: 'open' } as const
  const request = buildJoinRequest(url, profile({ carriage }), {
    token: '{userId}$&',
    declaredUser: '{jwt}',
  })
  expect(request).toMatchObject({ messages: ['{userId}$& {jwt}'] })
})

const frame = { frame: { path: '$.type', equals: 'welcome' } }

test.each<[string, Partial<SignalingProfile>]>([
  ['success that is failure as well', { success: [frame], failure: [frame] }],
  [
    'success that comes before the token',
    { success: [frame], carriage: { in: 'message', template: '{jwt}', after: frame } },
  ],
])('a profile has no oracle with %s', (_, part) => {
  expect(findOracleGap(profile(part))).toEqual(expect.any(String))
})

test('a profile has an oracle with one sign that tells', () => {
  expect(findOracleGap(profile({ failure: [], success: [{ quietOpenMs: 3999 }] }))).toBeNull()
  expect(findOracleGap(profile({ success: [frame, { quietOpenMs: 50 }], failure: [frame] }))).toBeNull()
})

test.each<[SignalingProfile['carriage'], SignalingProfile['declaredUser'], boolean]>([
  [{ in: 'query', name: 't' }, { in: 'none' }, false],
  [{ in: 'query', name: 't' }, { in: 'query', name: 'as' }, true],
  [{ in: 'header', name: 'A', template: '{jwt}' }, { in: 'carriage' }, false],
  [{ in: 'header', name: 'A', template: '{userId} {jwt}' }, { in: 'carriage' }, true],
  [{ in: 'subprotocol', protocols: ['{jwt}', 'as.{userId}'] }, { in: 'carriage' }, true],
  [{ in: 'query', name: 't' }, { in: 'carriage' }, false],
])('a profile declares the user, or does not: %j %j', (carriage, declaredUser, expected) => {
  expect(declaresUser(profile({ carriage, declaredUser }))).toBe(expected)
})

test.each<[string, string, Partial<SignalingProfile>]>([
  ['an illegal header name', url, { carriage: { in: 'header', name: 'a b', template: '{jwt}' } }],
  ['an illegal fixed subprotocol', url, { carriage: { in: 'subprotocol', protocols: ['a b', '{jwt}'] } }],
])('a profile cannot be used with %s', (_, address, part) => {
  expect(() => checkProfile(address, profile(part))).toThrow(
    expect.objectContaining({ name: 'TwotokenError', code: 'configuration' }),
  )
})

test('a silent join request has no messages', () => {
  const carriage = { in: 'message', template: '{"t":"{jwt}"}', after: 'open' } as const
  expect(buildJoinRequest(url, profile({ carriage }), { token: null, silent: true })).toMatchObject({
    messages: [],
  })
})
