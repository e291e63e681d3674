import { expect, test } from 'vitest'
import { matchesGlob, matchesHost } from './url-glob.ts'

test.each([
  ['**/calling/token', 'https://shop.example/api/calling/token?as=me#here', true],
  ['**/calling/token', 'https://shop.example/calling/tokens', false],
  ['https://shop.example/calling/token', 'https://shop.example/calling/token?x=1', true],
  ['https://shop.example:443/calling/token', 'https://shop.example/calling/token', true],
  ['https://*.example/calling/token', 'https://shop.example/calling/token', true],
  ['https://shop.example/*/token', 'https://shop.example/calling/token', true],
  ['https://shop.example/*', 'https://shop.example/calling/token', false],
  ['wss://signal.example/**', 'wss://signal.example/ws?token=t', true],
  ['wss://signal.example/**', 'wss://signal.example/', true],
  ['wss://signal.example', 'wss://signal.example/', true],
  ['wss://signal.example/ws', 'ws://signal.example/ws', false],
  ['**/{mint,token}', 'https://shop.example/mint', true],
  ['https://shop.example/a.b', 'https://shop.example/aXb', false],
])('%s and %s: %s', (glob, url, fits) => {
  expect(matchesGlob(glob, new URL(url))).toBe(fits)
})

test.each([
  ['api.shop.example', 'https://api.shop.example:8443/x', true],
  ['*.shop.example', 'https://api.shop.example/x', true],
  ['*.shop.example', 'https://shop.example.evil.example/x', false],
  ['127.0.0.1:3001', 'http://127.0.0.1:3001/login', true],
  ['127.0.0.1:3001', 'http://127.0.0.1:3002/login', false],
])('host %s and %s: %s', (glob, url, fits) => {
  expect(matchesHost(glob, new URL(url))).toBe(fits)
})
