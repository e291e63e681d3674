import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createPacer } from '../../src/base/http/limiter.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

// Clients of services whose double is the `serve` of an adapter, or speaks by a profile with binary frames.

const catalogue = await loadCatalogue()

async function judge(name: ForeignClient, ids: readonly string[], fault?: string) {
  const checks = catalogue.filter(({ id }) => ids.includes(id))
  const results = await judgeForeignClient(name, checks, fault)
  return Object.fromEntries(results.map(({ id, verdict, reason }) => [id, { verdict, reason }]))
}

const pass = { verdict: 'pass' }
const untested = (reason: RegExp) => ({ verdict: 'untested', reason: expect.stringMatching(reason) })
const common = {
  'CLI-01': pass,
  'CLI-02': untested(/^requests of a program to other hosts cannot be observed$/),
  'CLI-06': pass,
  'CLI-08': pass,
  'CLI-20': untested(/^the double of a signaling adapter cannot redirect a client$/),
}

test('a client of Socket.IO that polls first is judged with the double of its adapter', async () => {
  const expected = { ...common, 'CLI-07': pass, 'CLI-18': { verdict: 'info' } }
  expect(await judge('socket-io', Object.keys(expected))).toMatchObject(expected)
})

test('a client of Socket.IO over a WebSocket is judged with the greeting of its profile', async () => {
  const expected = { 'CLI-01': pass, 'CLI-06': pass, 'CLI-07': pass, 'CLI-08': pass }
  expect(await judge('socket-io over a WebSocket', Object.keys(expected))).toMatchObject(expected)
})

test('a client of MQTT is judged with the double of its adapter', async () => {
  // MQTT 3.1.1 has nothing to say to a client that is connected.
  const expected = { ...common, 'CLI-07': untested(/returns no refuseOpen/), 'CLI-18': pass }
  expect(await judge('mqtt', Object.keys(expected))).toMatchObject(expected)
})

test('a client of Hocuspocus is judged with the double that its profile with binary frames describes', async () => {
  const expected = { 'CLI-01': pass, 'CLI-06': pass, 'CLI-07': pass }
  expect(await judge('hocuspocus', Object.keys(expected))).toMatchObject(expected)
})

test.each<[ForeignClient, string, string]>([
  ['socket-io', 'token captured once', 'CLI-06'],
  ['socket-io', 'session beside the token', 'CLI-02'],
  ['socket-io over a WebSocket', 'token captured once', 'CLI-06'],
  ['socket-io over a WebSocket', 'session beside the token', 'CLI-02'],
  ['mqtt', 'token captured once', 'CLI-06'],
  ['hocuspocus', 'token captured once', 'CLI-06'],
  ['hocuspocus', 'session beside the token', 'CLI-02'],
  ['mqtt', 'declares the e-mail address', 'CLI-18'],
])('a client of %s with a fault is caught: %s', async (name, fault, id) => {
  expect(await judge(name, [id], fault)).toMatchObject({ [id]: { verdict: 'fail' } })
})

/** The examples whose signaling doubles a client: the `serve` of an adapter, or a profile. */
const examples = {
  'socket-io': { example: 'socket-io-polling', client: 'socket-io', transport: '' },
  'socket-io over a WebSocket': { example: 'socket-io', client: 'socket-io', transport: 'websocket' },
  mqtt: { example: 'mqtt', client: 'mqtt', transport: '' },
  hocuspocus: { example: 'hocuspocus', client: 'hocuspocus', transport: '' },
} as const
type ForeignClient = keyof typeof examples

/** Judges a client of a third-party service against the double that the example brings. */
async function judgeForeignClient(
  name: ForeignClient,
  checks: readonly AnyCheck[],
  fault = '',
): Promise<CheckResult[]> {
  const { example, client, transport } = examples[name]
  const directory = join(import.meta.dirname, 'node_modules/examples', example)
  const { signaling } = parse(await readFile(join(directory, 'twotoken.yaml'), 'utf8'))
  const configuration = await resolveConfiguration(
    {
      signaling: { ...signaling, url: 'ws://127.0.0.1:9/' },
      client: {
        command: `"${process.execPath}" "${join(import.meta.dirname, 'testing/clients', `${client}.ts`)}" "${fault}" ${transport}`,
        users: { alice: { userId: 'u-alice' }, bob: { userId: 'u-bob' } },
      },
      // A client without a fault needs no such time, however busy the machine is.
      ...(fault !== '' && { limits: { reconnectSeconds: 6 } }),
    },
    { directory, environment: {} },
  )
  await using session = await openSession(configuration)
  const pacer = createPacer({ atOnce: 3 }, session.clock)
  return await Promise.all(checks.map((check) => pacer.run(() => runCheck(check, session))))
}
