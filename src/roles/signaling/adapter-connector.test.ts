import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { createAdapterConnector } from './adapter-connector.ts'
import type { SignalingConnector } from './attempt.ts'

const folder = await openTempFolder()
afterAll(() => folder[Symbol.asyncDispose]())
let count = 0

async function loadAdapter(source: string): Promise<SignalingConnector> {
  count += 1
  const modulePath = join(folder.path, `adapter-${count}.mjs`)
  await writeFile(modulePath, source)
  const secrets = createSecrets()
  secrets.register('calling-jwt', 'opaque-token')
  return createAdapterConnector({
    url: 'wss://signal.example/ws',
    modulePath,
    journal: createJournal(),
    secrets,
    clock: systemClock,
    timeoutMs: 100,
  })
}

test('closes an accepted connection, and hears of its end', async () => {
  const signaling = await loadAdapter(
    `const end = Promise.withResolvers()
    export const connect = async ({ signal }) =>
      ({ accepted: true, ended: end.promise, close: () => end.resolve({ code: 4001, text: String(signal.aborted) }) })`,
  )
  const attempt = await signaling.attempt({ token: 'opaque-token' })
  if (attempt.outcome !== 'accepted') throw new Error(attempt.summary)
  expect(attempt.socket.send('x')).toBe(false)
  expect(await attempt.socket.next(() => true, 20)).toBeNull()
  await attempt.socket[Symbol.asyncDispose]()
  expect(await attempt.socket.ended).toMatchObject({ type: 'close', code: 4001, text: 'false' })
})

test('sends another credential in the way of the adapter, and hears as whom', async () => {
  const signaling = await loadAdapter(
    `export const connect = async () => ({
      accepted: true,
      identity: 'ann',
      resend: async ({ token, userId }) => token === null ? { accepted: false } : { accepted: true, identity: userId },
    })`,
  )
  const attempt = await signaling.attempt({ token: 'opaque-token' })
  if (attempt.outcome !== 'accepted') throw new Error(attempt.summary)
  const { socket, events } = attempt
  expect(events).toMatchObject([{ type: 'frame', text: '{"adapter":{"accepted":true,"identity":"ann"}}' }])
  socket.resend?.({ token: 'opaque-token', userId: 'bob' })
  const taken = await socket.next((event) => signaling.signOf(event) === 'success', 60_000)
  expect(taken?.text).toContain('"identity":"bob"')
  socket.resend?.({ token: null, userId: 'bob' })
  expect(await socket.next((event) => signaling.signOf(event) === 'failure', 60_000)).not.toBeNull()
  await socket[Symbol.asyncDispose]()
})

test('an adapter that cannot send again is an error', async () => {
  const source = `export const connect = async () =>
    ({ accepted: true, resend: async () => { throw new Error('no such message') } })`
  const attempt = await (await loadAdapter(source)).attempt({ token: 'opaque-token' })
  if (attempt.outcome !== 'accepted') throw new Error(attempt.summary)
  attempt.socket.resend?.({ token: 'opaque-token', userId: 'bob' })
  await expect(attempt.socket[Symbol.asyncDispose]()).rejects.toThrow(
    'resend of the signaling adapter failed: no such message',
  )
})

test('an adapter that gives in when its time is over has been refused', async () => {
  const source = `export const connect = ({ signal }) => new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ accepted: false })))`
  expect(await (await loadAdapter(source)).attempt({ token: 'opaque-token' })).toMatchObject({
    outcome: 'refused',
  })
})

test('does not claim to have sent headers', async () => {
  const signaling = await loadAdapter('export const connect = async () => ({ accepted: true })')
  expect(
    await signaling.attempt({ token: 'opaque-token', headers: [['Origin', 'https://x.example']] }),
  ).toMatchObject({ outcome: 'untestable', reason: 'a signaling adapter takes no headers and no query' })
})

test.each([
  ['a module that is no module', 'export export'],
  ['no connect', 'export const join = () => ({})'],
  ['connect that is no function', 'export const connect = 1'],
])('an adapter with %s is an error, never a refusal', async (_, source) => {
  await expect(loadAdapter(source)).rejects.toMatchObject({ name: 'TwotokenError', code: 'configuration' })
})

test.each([
  ['a rejection', "throw new Error('no route')", 'connect of the signaling adapter failed: no route'],
  ['no verdict', 'return {}', 'the result of connect of the signaling adapter is invalid'],
  ['silence', 'return new Promise(() => {})', 'it did not settle within 1.1 s'],
])('an adapter with %s is an error, never a refusal', async (_, body, message) => {
  const signaling = await loadAdapter(`export async function connect() { ${body} }`)
  await expect(signaling.attempt({ token: null })).rejects.toMatchObject({
    name: 'TwotokenError',
    message: expect.stringContaining(message),
  })
})
