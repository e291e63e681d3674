import { expect, test } from 'vitest'
import { defaultLimits } from '../../../base/http/limits.ts'
import type { DoublesConfiguration } from '../client-configuration.ts'
import { classifyHosts, matchesGlob, matchesHost } from './hosts.ts'

const configuration: DoublesConfiguration = {
  directory: '/',
  mint: { url: 'https://api.service.example', apiKey: 'ac_live_0123456789', keys: {}, minTtlSeconds: 60 },
  backend: { url: 'https://api.shop.example/calling/token', method: 'POST', sessions: {} },
  signaling: { url: 'wss://signal.service.example/ws', allowInsecureTransport: false },
  client: {
    url: 'http://localhost:5173',
    driver: '/driver.mjs',
    tls: false,
    ownHosts: ['login.identity.example'],
    serviceHosts: ['*.media.example'],
    users: {},
  },
  token: { field: 'auto', userIdClaim: 'auto' },
  limits: defaultLimits,
}
const hosts = classifyHosts(configuration, null)

test.each([
  ['http://127.0.0.1:5173/app.js', 'own'],
  ['http://127.0.0.1:5174/app.js', 'elsewhere'],
  ['https://api.shop.example/orders', 'own'],
  ['https://orders.shop.example/list', 'related'],
  ['https://login.identity.example/oauth', 'own'],
  ['https://api.service.example/api/v1/calling/token', 'mint'],
  ['https://signal.service.example/ice', 'elsewhere'],
  ['https://metrics.third.example/', 'elsewhere'],
] as const)('%s is %s', (url, kind) => {
  expect(hosts.kindOf(new URL(url))).toBe(kind)
})

test('the mint is no token route, although the glob of one may fit it', async () => {
  const wide = classifyHosts(
    {
      ...configuration,
      client: { users: {}, tls: false, ownHosts: [], serviceHosts: [], backendUrl: '**/calling/token' },
    },
    null,
  )
  expect(wide.isTokenRoute(new URL('https://api.service.example/api/v1/calling/token'))).toBe(false)
  expect(wide.isTokenRoute(new URL('https://api.shop.example/calling/token?x=1'))).toBe(true)
})

test.each([
  ['https://signal.service.example/poll?token=x', true],
  ['https://signal.service.example:8443/poll', false],
  ['https://eu.media.example/negotiate', true],
  ['https://media.example.evil.example/negotiate', false],
  ['https://eu.media.example/api/v1/calling/token', false],
  ['http://signal.service.example/poll', false],
  ['https://api.shop.example/poll', false],
] as const)('a request to %s goes to where signaling is: %s', (url, isThere) => {
  expect(hosts.isSignalingHttp(new URL(url))).toBe(isThere)
})

test('signaling on the own host leaves that host the own one', () => {
  const relayed = classifyHosts(
    { ...configuration, signaling: { url: 'ws://localhost:5173/signaling', allowInsecureTransport: false } },
    null,
  )
  expect(relayed.isSignalingHttp(new URL('http://localhost:5173/orders'))).toBe(false)
})

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
