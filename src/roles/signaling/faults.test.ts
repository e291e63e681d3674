import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createAuthority } from '../../base/tls/certificates.ts'
import type { SignalingProfile } from './profile.ts'
import { good, signalingAt, welcome } from './testing/attempts.ts'
import { type Loopback, startPeer, startService, upgraded } from './testing/loopback.ts'

const shortDeadlineMs = 300

const attemptAt = (service: Loopback, deadlineMs = 4000, profile: Partial<SignalingProfile> = {}) =>
  signalingAt(service, profile).attempt({ token: good, deadlineMs })

function textFrame(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x81, Buffer.byteLength(text)), Buffer.from(text)])
}

function closeFrame(code: number): Buffer {
  return Buffer.of(0x88, 2, code >> 8, code & 0xff)
}

test.each<[string, (socket: Socket) => void, string]>([
  ['never answers', () => undefined, 'did not answer the upgrade within 0.3 s'],
  [
    'answers the upgrade a byte at a time',
    (socket) => {
      const status = 'HTTP/1.1 101 Switching Protocols\r\nX-Padding: '
      let sent = 0
      const trickling = setInterval(() => socket.write(status.charAt(sent++) || 'x'), 20)
      socket.once('close', () => clearInterval(trickling))
    },
    'did not answer the upgrade within 0.3 s',
  ],
  [
    'speaks something else',
    (socket) => socket.write('SSH-2.0-x\r\n'),
    'sent invalid HTTP (HPE_INVALID_CONSTANT)',
  ],
  [
    'resets the connection in the handshake',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    'closed the connection before the response was complete',
  ],
  [
    'proves no handshake',
    (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      ),
    'did not complete the upgrade (Invalid Sec-WebSocket-Accept header)',
  ],
  [
    'sends 10,000 headers',
    (socket) => socket.write(`HTTP/1.1 101 OK\r\n${'X-Header: value\r\n'.repeat(10_000)}\r\n`),
    'sent a header of more than 64 KiB',
  ],
  [
    'announces a frame of 2 GB',
    upgraded((socket) => socket.write(Buffer.of(0x82, 127, 0, 0, 0, 0, 0x80, 0, 0, 0))),
    'sent a message of more than 64 KB',
  ],
  [
    'sends text that is not UTF-8',
    upgraded((socket) => socket.write(Buffer.of(0x81, 2, 0xff, 0xfe))),
    'sent an invalid frame (Invalid WebSocket frame: invalid UTF-8 sequence)',
  ],
  [
    'sends a compressed frame',
    upgraded((socket) => socket.write(Buffer.of(0xc1, 1, 0x41))),
    'sent an invalid frame (Invalid WebSocket frame: RSV1 must be clear)',
  ],
  ['closes with a code that is none', upgraded((socket) => socket.write(closeFrame(401))), 'closed with 401'],
  [
    'resets an open connection',
    upgraded((socket) => socket.resetAndDestroy()),
    'ended without a close frame',
  ],
])('ends where the service %s', async (_, speak, summary) => {
  await using service = await startPeer(speak)
  // Where the peer ends it, a busy machine may see that late.
  const deadlineMs = summary.endsWith('within 0.3 s') ? shortDeadlineMs : 60_000
  const attempt = await attemptAt(service, deadlineMs)
  const expected = { outcome: 'refused', named: false, unauthorized: false, unreachable: false, summary }
  expect(attempt).toMatchObject(expected)
  await expect.poll(() => service.openSockets()).toBe(0)
})

test.each<[string, (socket: Socket) => void, string]>([
  [
    'whose body is endless',
    (socket) => socket.write(`HTTP/1.1 403 No\r\n\r\n${'x'.repeat(1_000_000)}`),
    'answered 403',
  ],
  [
    'by a frame, and never closes',
    upgraded((socket) => socket.write(textFrame('{"error":{"code":401}}'))),
    'answered with a frame with 401 at $.error.code',
  ],
  [
    'by a close frame, and keeps the connection',
    upgraded((socket) => socket.write(closeFrame(4401))),
    'closed with 4401',
  ],
])('knows a refusal %s', async (_, speak, summary) => {
  await using service = await startPeer(speak)
  expect(await attemptAt(service)).toMatchObject({ outcome: 'refused', named: true, summary })
  await expect.poll(() => service.openSockets()).toBe(0)
})

test.each([
  ['success', welcome],
  ['failure', '{"error":{"code":401}}'],
])('a close frame soon after a %s counts, also where the connection stays', async (_, first) => {
  const frames = Buffer.concat([textFrame(first), closeFrame(4401)])
  await using service = await startPeer(upgraded((socket) => socket.write(frames)))
  const unauthorized = [{ close: [4401] }]
  expect(await attemptAt(service, 4000, { settleMs: 0, unauthorized })).toMatchObject({
    outcome: 'refused',
    unauthorized: true,
  })
})

test('finds the answer among 10,000 short headers', async () => {
  const speak = upgraded((socket) => socket.write(textFrame(welcome)), 'a:b\r\n'.repeat(10_000))
  await using service = await startPeer(speak)
  const attempt = await attemptAt(service)
  expect(attempt.summary).toBe('was accepted: a frame with "welcome" at $.type')
  if (attempt.outcome === 'accepted') await attempt.socket[Symbol.asyncDispose]()
  await expect.poll(() => service.openSockets()).toBe(0)
})

test('keeps little of a flood of frames, and sees the sign in it', async () => {
  const frame = textFrame('{"type":"noise"}')
  const flood = Buffer.concat(Array.from({ length: 20_000 }, () => frame))
  const speak = upgraded((socket) =>
    socket.write(Buffer.concat([flood, textFrame('{"error":{"code":401}}')])),
  )
  await using service = await startPeer(speak)
  // The sign ends it: on a busy machine the flood takes seconds to read.
  const attempt = await attemptAt(service, 60_000)
  expect(attempt).toMatchObject({ outcome: 'refused', named: true })
  expect(attempt.events.length).toBeLessThan(3000)
})

test('ends at a flood of frames without a sign, long before the deadline, and keeps little of it', async () => {
  const frame = Buffer.concat([Buffer.of(0x81, 126, 0x7f, 0xff), Buffer.alloc(0x7fff, 'a')])
  await using service = await startPeer(
    upgraded((socket) => {
      const pump = () => {
        while (!socket.destroyed && socket.write(frame));
      }
      socket.on('drain', pump)
      pump()
    }),
  )
  const attempt = await attemptAt(service, 600_000)
  expect(attempt).toMatchObject({
    outcome: 'refused',
    undecided: true,
    summary: 'sent more than 64 MB without a sign of success or failure',
  })
  expect(attempt.events.length).toBeLessThan(20)
})

test('sends nothing where the certificate is for another name', async () => {
  const authority = createAuthority()
  let upgrades = 0
  const status = () => {
    upgrades += 1
    return 101
  }
  await using service = await startService({
    certificate: authority.issue({ names: ['other.example'] }),
    status,
  })
  const attempt = await signalingAt(service, {}, { network: { ca: [authority.certificate] } }).attempt({
    token: good,
  })
  expect(attempt).toMatchObject({ outcome: 'refused', named: false, unreachable: true })
  expect(attempt.summary).toContain('failed TLS verification')
  expect(attempt.summary).toContain('does not match')
  expect(upgrades).toBe(0)
})
