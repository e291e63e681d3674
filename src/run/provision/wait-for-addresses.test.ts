import { createServer as createHttp } from 'node:http'
import { createServer as createHttp2, createSecureServer } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { listening, serve } from '../../base/http/testing/serve.ts'
import { createAuthority } from '../../base/tls/certificates.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type AddressedPart, addressesOf, probe, waitForAddresses } from './wait-for-addresses.ts'

const authority = createAuthority()
const certificate = authority.issue({ names: ['127.0.0.1'] })
const withCertificate = { ...certificate, requestCert: true, rejectUnauthorized: true }

async function probed(server: Server, scheme: string, health?: string) {
  await using listener = await listening(server)
  return await probe(`${scheme}://127.0.0.1:${listener.port}/`, { health })
}

test.each<[string, () => Server]>([
  ['demands a client certificate', () => createHttps(withCertificate)],
  ['demands one with TLS 1.2', () => createHttps({ ...withCertificate, maxVersion: 'TLSv1.2' })],
  ['speaks HTTP/2 alone', () => createSecureServer({ ...certificate, ALPNProtocols: ['h2'] })],
])('a server that %s has started, but has not answered a health check', async (_, create) => {
  expect(await probed(create(), 'https')).toBeNull()
  expect(await probed(create(), 'wss')).toBeNull()
  expect(await probed(create(), 'https', '/health')).not.toBeNull()
})

test('a server that speaks HTTP/2 without TLS has started', async () => {
  expect(await probed(createHttp2(), 'http')).toBeNull()
})

test('signaling that never answers an upgrade without a credential has started, where it answers anything else', async () => {
  const server = createHttp((_, response) => void response.writeHead(426).end())
  server.on('upgrade', () => undefined)
  expect(await probed(server, 'ws')).toBe(null)
  expect(
    await probed(
      createTcp(() => undefined),
      'ws',
    ),
  ).toBe('no response within 2 s')
})

test('a port that something else holds open for a server is no server', async () => {
  const closesAtOnce = () => createTcp((socket) => socket.destroy())
  expect(await probed(closesAtOnce(), 'https')).toBe('the connection was closed at once')
  expect(await probed(closesAtOnce(), 'http')).toBe('the connection was closed at once')
})

test('a gateway is waited for until it has found the server behind it, and not for as long as it fails', async () => {
  const statuses = [502, 503, 504, 401]
  const seen: number[] = []
  await using gateway = await serve((_, response) => {
    const status = statuses[seen.length] ?? 401
    seen.push(status)
    response.writeHead(status).end()
  })
  await using failing = await serve((_, response) => void response.writeHead(502).end())
  const wait = async (url: string, seconds: number) =>
    await waitForAddresses([{ key: 'backend.url', url }], {
      seconds,
      isOver: () => false,
      signal: new AbortController().signal,
    })
  expect(await wait(gateway.url, 60)).toEqual([])
  expect(seen).toEqual(statuses)
  expect(await wait(failing.url, 4)).toEqual([])
})

test('only what is contacted is waited for', () => {
  const configuration = {
    mint: { url: 'http://mint.example' },
    signaling: { url: 'wss://signal.example' },
    client: { url: 'http://app.example' },
  } as Configuration
  const keys = (...parts: readonly AddressedPart[]) => addressesOf(configuration, parts).map(({ key }) => key)
  expect(keys('client')).toEqual(['client.url'])
  expect(keys('mint', 'backend')).toEqual(['mint.url'])
  expect(addressesOf(configuration).map(({ key }) => key)).toEqual(['mint.url', 'signaling.url'])
})
