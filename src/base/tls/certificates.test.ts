import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { createAuthority, type WantedCertificate } from './certificates.ts'
import { offersOldVersion } from './offers-old-version.ts'

const authority = createAuthority()
const loopback = ['localhost', '127.0.0.1', '::1']

/** Connects as a client that trusts the authority. Resolves to null, or to the code of the error. */
async function handshake(wanted: WantedCertificate, host: string): Promise<string | null> {
  await using server = createServer(authority.issue(wanted), (socket) => socket.end())
  server.on('tlsClientError', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return await new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: host, ca: authority.certificate }, () => {
      resolve(null)
      socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

test('a certificate of the authority is valid for its name', async () => {
  expect(await handshake({ names: loopback }, 'localhost')).toBeNull()
})

test('states names and addresses, and chains to the authority', () => {
  const certificate = new X509Certificate(authority.issue({ names: [...loopback, 'fe80::12:3'] }).cert)
  expect(certificate.subjectAltName).toContain('DNS:localhost')
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.checkIP('::1')).toBe('::1')
  expect(certificate.checkIP('fe80::12:3')).toBe('fe80::12:3')
  const issuer = new X509Certificate(authority.certificate)
  expect(issuer.ca).toBe(true)
  expect(certificate.ca).toBe(false)
  expect(certificate.checkIssued(issuer)).toBe(true)
  expect(certificate.verify(issuer.publicKey)).toBe(true)
})

test.each([
  ['at once', 10, 10, 'TLSv1.1'],
  ['late, where a usual one is late, too', 9_000, 3_000, 'TLSv1.1'],
  ['never, where a usual one is fast', Number.POSITIVE_INFINITY, 10, null],
  ['never, where a usual one takes seconds', Number.POSITIVE_INFINITY, 3_000, null],
  ['never, nor a usual one', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, undefined],
] as const)('a handshake of an old version that ends %s', async (_, oldMs, usualMs, version) => {
  const shake = async ({ isOld, deadlineMs }: { readonly isOld: boolean; readonly deadlineMs: number }) => {
    const ms = isOld ? oldMs : usualMs
    const isSilent = ms > deadlineMs
    return { version: isSilent ? null : 'TLSv1.1', tookMs: Math.min(ms, deadlineMs), isSilent }
  }
  expect(await offersOldVersion('127.0.0.1', 443, shake)).toBe(version)
})
