import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { createLoopbackTls } from '../../fixtures/tls.ts'
import { systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createHttpClient } from '../base/http/client.ts'
import { openNetwork } from '../base/http/network.ts'
import { listening } from '../base/http/testing/serve.ts'
import { openTempFolder } from '../base/temp-folder.ts'

const tls = createLoopbackTls({ names: ['localhost'] })

// Two names of one server that asks for a certificate, and tells whether it was shown one.
test('the certificate of the suite is shown to the hosts of the configuration, and to no other', async () => {
  await using folder = await openTempFolder()
  const file = async (name: string, text: string) => {
    await writeFile(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const server = createServer({ ...tls.server, ca: [tls.ca], requestCert: true, rejectUnauthorized: false })
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy())
    const body = socket.getPeerX509Certificate() === undefined ? 'no certificate' : 'the certificate'
    void once(socket, 'data').then(() =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`),
    )
  })
  await using listener = await listening(server)
  const network = await openNetwork({
    tls: {
      ca: await file('ca.pem', tls.ca),
      client: { cert: await file('cert.pem', tls.client.cert), key: await file('key.pem', tls.client.key) },
    },
    mint: { url: `https://127.0.0.1:${listener.port}/base` },
  })
  await using http = createHttpClient({
    journal: createJournal(),
    clock: systemClock,
    deadlineMs: 60_000,
    bodyBytes: 10_000,
    network,
  })
  const seen = async (host: string, newConnection: boolean) => {
    const url = `https://${host}:${listener.port}/`
    const reply = await http.send({ to: 'mint', method: 'GET', url, headers: [], newConnection })
    return reply.kind === 'answer' ? reply.body : reply.message
  }
  for (const newConnection of [false, true]) {
    expect(await seen('127.0.0.1', newConnection)).toBe('the certificate')
    expect(await seen('localhost', newConnection)).toBe('no certificate')
  }
})
