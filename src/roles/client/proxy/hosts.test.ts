import { expect, test } from 'vitest'
import { defaultLimits } from '../../../base/http/limits.ts'
import type { DoublesConfiguration } from '../client-configuration.ts'
import { classifyHosts } from './hosts.ts'

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
