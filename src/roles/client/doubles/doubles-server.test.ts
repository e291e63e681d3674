import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sendBytes } from '../../../base/http/testing/hostile-requests.ts'
import { serveDoubles } from '../testing/double-options.ts'

/** The doubles of a device, and what they saw. */
async function doubles(mostKept = 1_000_000) {
  const served = await serveDoubles({ mostKept })
  const port = Number(new URL(served.backendUrl).port)
  return Object.assign(served, {
    /** The status line of a request with this target and Host. */
    async ask(target: string, named = `127.0.0.1:${port}`) {
      const answer = await sendBytes(
        { host: '127.0.0.1', port, isSecure: false },
        `POST ${target} HTTP/1.1\r\nHost: ${named}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        // The response ends the connection, however busy the machine is.
        30_000,
      )
      return answer.split('\r\n', 1)[0]
    },
  })
}

test('serves the token route and signaling, and nothing at any other path', async () => {
  await using device = await doubles()
  expect(await device.ask('/calling/token')).toBe('HTTP/1.1 200 OK')
  expect(await device.ask('/other')).toBe('HTTP/1.1 404 Not Found')
  const socket = new WebSocket(device.signalingUrl.replace('/signaling', '/elsewhere'))
  await expect(
    new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)),
  ).rejects.toThrow('404')
  // The suite sees a request to a wrong path all the same: it may carry a secret.
  expect(device.context.otherTraffic.requests().map(({ url }) => new URL(url).pathname)).toEqual([
    '/other',
    '/elsewhere',
  ])
})

test.each([
  ['its address', '127.0.0.1', 'HTTP/1.1 200 OK'],
  ['an address of this machine in a network', '192.168.1.20:9450', 'HTTP/1.1 200 OK'],
  ['a name of loopback', 'localhost:9450', 'HTTP/1.1 200 OK'],
  [
    'a name that a DNS server leads here',
    'rebound.attacker.example:9450',
    'HTTP/1.1 421 Misdirected Request',
  ],
])('is reached by %s', async (_, named, status) => {
  await using device = await doubles()
  expect(await device.ask('/calling/token', named)).toBe(status)
})

test('a client that sends more than can be kept is lost, and what it sends is not kept', async () => {
  await using device = await doubles(50_000)
  const send = (body: string) => fetch(device.backendUrl, { method: 'POST', body })
  expect((await send('small')).status).toBe(200)
  await expect(send('x'.repeat(60_000))).rejects.toThrow()
  expect(device.context.backend.calls()).toHaveLength(1)
  await expect(device.context.changeSignal.waitFor(() => null, 0)).rejects.toThrow(
    /^the client sent and loaded more than/,
  )
})
