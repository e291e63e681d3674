import { expect, test } from 'vitest'
import { proxyAuthorization, proxyFor, proxyOf, secretsOf } from './proxy-settings.ts'

const proxy = 'http://proxy.example:3128'
const through = (address: string, ...bypass: string[]) =>
  proxyFor(new URL(address), { secure: proxy, plain: proxy, bypass }) !== null

test.each([
  ['https://api.acme.example/'],
  ['wss://signal.acme.example/ws'],
  ['http://api.acme.example/'],
  ['https://acme.example/', '*.acme.example'],
  ['https://notacme.example/', 'acme.example'],
  ['https://acme.example:8443/', 'acme.example:443'],
  ['https://[2001:db8::7]/', '2001:db8::8'],
])('%s is reached through the proxy, past %s', (address, ...bypass) => {
  expect(through(address, ...bypass)).toBe(true)
})

test.each([
  ['https://127.0.0.1:4000/'],
  ['wss://[::1]:4000/'],
  ['http://localhost/'],
  ['https://api.acme.example/', '*'],
  ['https://api.acme.example/', 'acme.example'],
  ['https://acme.example/', 'ACME.example'],
  ['https://api.acme.example/', '.acme.example'],
  ['wss://a.b.internal/', '*.internal'],
  ['wss://acme.example/', 'acme.example:443'],
  ['https://192.0.2.7/', '192.0.2.7'],
  ['https://[2001:db8::7]/', '2001:db8::7'],
])('%s is reached directly, by %s', (address, ...bypass) => {
  expect(through(address, ...bypass)).toBe(false)
})

test.each([
  [{}, undefined],
  [
    { HTTPS_PROXY: proxy, NO_PROXY: 'a, b c' },
    { secure: proxy, bypass: ['a', 'b', 'c'] },
  ],
  [
    { https_proxy: proxy, HTTPS_PROXY: 'http://other' },
    { secure: proxy, bypass: [] },
  ],
  [{ HTTP_PROXY: 'proxy.example:3128' }, { plain: proxy, bypass: [] }],
  [{ ALL_PROXY: proxy }, { secure: proxy, plain: proxy, bypass: [] }],
  [{ ALL_PROXY: 'socks5://proxy.example:1080', HTTPS_PROXY: '' }, undefined],
])('the environment %o means %o', (environment, expected) => {
  expect(proxyOf(environment)).toEqual(expected)
})

test('a user name and a password are sent, and never shown', () => {
  const written = 'http://tester:p%40ssword@proxy.example:3128'
  const encoded = Buffer.from('tester:p@ssword').toString('base64')
  expect(proxyAuthorization(new URL(written))).toBe(`Basic ${encoded}`)
  expect(secretsOf({ secure: written, bypass: [] })).toEqual(['p%40ssword', 'p@ssword', encoded])
  expect(secretsOf({ plain: proxy, bypass: [] })).toEqual([])
})

test('a password with a bare percent sign is sent as it is written', () => {
  const encoded = Buffer.from('tester:100%').toString('base64')
  expect(proxyAuthorization(new URL('http://tester:100%@proxy.example:3128'))).toBe(`Basic ${encoded}`)
})
