import { expect, test } from 'vitest'
import {
  expectConformantBackend,
  expectConformantMint,
  expectConformantSignaling,
} from '../../docs/fixes/expect-conformant.ts'
import { mistakes as mistaken } from '../../fixtures/servers/server.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createPacer } from '../../src/base/http/limiter.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { caughtBy, detectServer, essential, judgeByExample } from '../servers/judge-by-example.ts'
import { startGraphqlWs, startHocuspocus, startMqtt, startSocketIo, startSockJs } from './start-servers.ts'

const servers = {
  'socket-io': startSocketIo,
  'socket-io-polling': startSocketIo,
  hocuspocus: () => startHocuspocus(),
  'graphql-ws': startGraphqlWs,
  sockjs: startSockJs,
  mqtt: () => startMqtt(),
  'mqtt-profile': () => startMqtt(),
} as const
const names = Object.keys(servers) as (keyof typeof servers)[]
const exampleOf = (name: string) => `proof/peers/node_modules/examples/${name}`

const checks = (await loadCatalogue()).filter(({ role }) => role === 'signaling')
const some = (ids: readonly string[]) => checks.filter(({ id }) => ids.includes(id))
/** All at once would only measure how busy the machine is. */
const pacer = createPacer({ atOnce: 3 }, systemClock)

test.concurrent.each(names)('%s gets no fail with its shipped example', (name) =>
  pacer.run(async () => {
    await using server = await servers[name]()
    const results = await judgeByExample(exampleOf(name), server, checks)
    const accused = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    expect(accused.map(({ id, reason, findings }) => [id, reason, findings])).toEqual([])
    const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    expect(passed).toEqual(expect.arrayContaining(essential))
  }),
)

test.concurrent.each(Object.entries(caughtBy))('a Socket.IO service that %s is caught by %s', (does, id) =>
  pacer.run(async () => {
    await using server = await startSocketIo(does as keyof typeof mistaken)
    const results = await judgeByExample(exampleOf('socket-io'), server, some([id]), { withKey: true })
    expect(results).toMatchObject([{ id, verdict: 'fail' }])
  }),
)

test.concurrent.each([
  ['Hocuspocus', 'hocuspocus', startHocuspocus],
  ['MQTT', 'mqtt-profile', startMqtt],
] as const)('a service of %s that verifies no signature is caught', (_, name, start) =>
  pacer.run(async () => {
    await using server = await start(mistaken['verifies no signature'])
    expect(await judgeByExample(exampleOf(name), server, some(['SIG-21']))).toMatchObject([
      { verdict: 'fail' },
    ])
  }),
)

test.concurrent.each(['socket-io', 'graphql-ws', 'sockjs'] as const)(
  'the profile of %s is detected, and accuses it of nothing',
  (name) =>
    pacer.run(async () => {
      await using server = await servers[name]()
      const { signaling } = await detectServer(exampleOf(name), server)
      if ('missing' in signaling) throw new Error(signaling.missing)
      const { profile } = signaling.found
      const results = await judgeByExample(exampleOf(name), server, some(essential), { profile })
      expect(results).toHaveLength(essential.length)
      expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
    }),
)

// The blocks of `docs/fixes` for packages that the suite itself does not install.

test('the blocks form a conformant backend with Fastify', () => expectConformantBackend('fastify'))
test('the blocks form a conformant mint with Fastify', () => expectConformantMint('fastify'))
test('the blocks form a conformant signaling service with Socket.IO', () =>
  expectConformantSignaling('socket.io'))
