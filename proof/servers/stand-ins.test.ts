import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import {
  centrifugo,
  janus,
  livekit,
  phoenix,
  signalr,
  startStandIn,
} from '../../fixtures/servers/stand-in.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadConfiguration } from '../../src/configuration/load.ts'
import { detectServer, essential, judgeByExample } from './judge-by-example.ts'

// Products that are not at hand: what stands in for them speaks the frames of their documentation.

const standIns = { signalr, phoenix, centrifugo, livekit, janus } as const
const names = Object.keys(standIns) as (keyof typeof standIns)[]
const checks = (await loadCatalogue()).filter(({ id }) => essential.includes(id))

test.concurrent.each(names)('%s gets no fail with its shipped example', async (name) => {
  await using server = await startStandIn(standIns[name])
  const results = await judgeByExample(`examples/${name}`, server, checks)
  expect(results.map(({ id, verdict, reason }) => [id, reason ?? verdict])).toEqual(
    results.map(({ id }) => [id, 'pass']),
  )
  expect(results).toHaveLength(essential.length)
})

test.concurrent.each(names)(
  'a service like %s that verifies no signature is caught with the shipped example',
  async (name) => {
    await using server = await startStandIn(standIns[name], async (token) =>
      String(decodeJwt(String(token)).sub),
    )
    const forged = checks.filter(({ id }) => id === 'SIG-21')
    expect(await judgeByExample(`examples/${name}`, server, forged)).toMatchObject([
      { id: 'SIG-21', verdict: 'fail' },
    ])
  },
)

test.concurrent.each(['centrifugo', 'phoenix', 'signalr'] as const)(
  'the profile of %s is detected, and accuses it of nothing',
  async (name) => {
    await using server = await startStandIn(standIns[name])
    const { signaling } = await detectServer(`examples/${name}`, server)
    if ('missing' in signaling) throw new Error(signaling.missing)
    const { profile } = signaling.found
    const results = await judgeByExample(`examples/${name}`, server, checks, { profile })
    expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
  },
)

test('the example for NATS is a valid configuration', async () => {
  const configuration = await loadConfiguration('examples/nats/twotoken.yaml', {
    MINT_URL: 'https://api.example.com',
    CALLING_API_KEY: 'ac_live_x',
    SIGNALING_URL: 'wss://nats.example.com',
  })
  expect(configuration.signaling?.access).toHaveProperty('profile.carriage.after.text.startsWith', 'INFO')
})
