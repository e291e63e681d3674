import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { startStandIn, type Verify } from '../../fixtures/servers/stand-in.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createPacer } from '../../src/base/http/limiter.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadConfiguration } from '../../src/configuration/load.ts'
import { detectServer, essential, foreignServers, judgeByExample, standIns } from './servers.ts'

const checks = (await loadCatalogue()).filter(({ role, stage }) => role === 'signaling' && stage !== 'expiry')
const start = (name: string, verify?: Verify) => {
  const server = foreignServers[name]
  const standIn = standIns[name]
  if (standIn !== undefined) return startStandIn(standIn, verify)
  if (server === undefined) throw new Error(`there is no server ${name}`)
  return server(verify)
}

const essentialChecks = checks.filter(({ id }) => essential.includes(id))
/** All at once would only measure how busy the machine is. */
const pacer = createPacer({ atOnce: 3 }, systemClock)

test.concurrent.each([
  ...['socket-io', 'hocuspocus', 'graphql-ws', 'sockjs'].map((name) => [name, checks] as const),
  ...['socket-io-polling', 'mqtt', 'mqtt-profile', ...Object.keys(standIns)].map(
    (name) => [name, essentialChecks] as const,
  ),
])('%s gets no fail with its shipped example', (name, judged) =>
  pacer.run(async () => {
    await using server = await start(name)
    const results = await judgeByExample(name, server, judged)
    const accused = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    expect(accused.map(({ id, reason, findings }) => [id, reason, findings])).toEqual([])
    const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    expect(passed).toEqual(expect.arrayContaining(essential))
  }),
)

test.concurrent.each([...Object.keys(standIns), 'hocuspocus', 'mqtt-profile'])(
  'a service like %s that verifies no signature is caught with the shipped example',
  (name) =>
    pacer.run(async () => {
      await using server = await start(name, async (token) => String(decodeJwt(String(token)).sub))
      const forged = checks.filter(({ id }) => id === 'SIG-21')
      const results = await judgeByExample(name, server, forged)
      expect(results).toMatchObject([{ id: 'SIG-21', verdict: 'fail' }])
    }),
)

test.concurrent.each(['socket-io', 'graphql-ws', 'sockjs', 'centrifugo', 'phoenix', 'signalr'])(
  'the profile of %s is detected, and accuses it of nothing',
  (name) =>
    pacer.run(async () => {
      await using server = await start(name)
      const { signaling } = await detectServer(name, server)
      if ('missing' in signaling) throw new Error(signaling.missing)
      const { profile } = signaling.found
      const results = await judgeByExample(name, server, essentialChecks, { profile })
      expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
    }),
)

test('the example for NATS is a valid configuration', async () => {
  const configuration = await loadConfiguration('examples/nats/twotoken.yaml', {
    MINT_URL: 'https://api.example.com',
    CALLING_API_KEY: 'ac_live_x',
    SIGNALING_URL: 'wss://nats.example.com',
  })
  expect(configuration.signaling?.access).toHaveProperty('profile.carriage.after.text.startsWith', 'INFO')
})
