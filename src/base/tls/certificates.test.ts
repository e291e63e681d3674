import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { createAuthority, type WantedCertificate } from './certificates.ts'

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

test('an expired certificate and one for another name are rejected', async () => {
  const past = { names: loopback, validFrom: new Date(2001, 1), validTo: new Date(2002, 1) }
  expect(await handshake(past, 'localhost')).toBe('CERT_HAS_EXPIRED')
  expect(await handshake({ names: ['other.example'] }, 'localhost')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
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

test('an authority does not verify the certificates of another', () => {
  const other = new X509Certificate(createAuthority().certificate)
  const certificate = new X509Certificate(authority.issue({ names: loopback }).cert)
  expect(certificate.checkIssued(other)).toBe(false)
  expect(certificate.verify(other.publicKey)).toBe(false)
})
