import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Fault, httpFaults, startFaultyPeer } from '../../../fixtures/faults/peer.ts'
import { startMint } from '../../../fixtures/mint/server.ts'
import { createLoopbackTls } from '../../../fixtures/tls/loopback.ts'
import { createWorkplace, type Ended } from '../testing/workplace.ts'

// Where nothing can be judged, nothing is: the preflight says why and the run is exit 2.
const limits = { requestSeconds: 1 }
const apiKey = 'ac_live_made_up_for_a_test'

const tooLate = 'did not answer within 1 s'
const sentences: readonly [fault: keyof typeof httpFaults, sentence: string][] = [
  ['hangs', tooLate],
  ['trickles a byte a second', tooLate],
  ['sends 2 GB', 'sent a body of more than 1 MB'],
  ['redirects for ever', 'redirected more than 5 times'],
  ['sends a gzip bomb', 'sent a body of more than 1 MB'],
  ['sends 10,000 headers', 'sent a header of more than 64 KiB'],
  ['closes the connection in mid-body', 'closed the connection before the response was complete'],
]

function expectRefusal({ code, stdout, stderr, peakMegabytes }: Ended, sentence: string): void {
  expect(stderr).toContain('the run did not start')
  expect(stderr).toContain(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(peakMegabytes).toBeLessThan(500)
}

async function runAgainst(configuration: unknown, suite: string): Promise<Ended> {
  await using place = await createWorkplace(configuration)
  return await place.start(['run', '--suite', suite]).ended
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe.concurrent('a mint', () => {
  test('is refused when it is down', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`
    expectRefusal(await runAgainst({ mint: { url, apiKey }, limits }, 'mint'), `refused the connection`)
  })

  test.each(sentences)('is refused when it %s', async (name, sentence) => {
    const fault: Fault = httpFaults[name]
    await using peer = await startFaultyPeer({ faults: [fault] })
    const url = `http://127.0.0.1:${peer.port}`
    // A mint that answers gets more time: six requests of a redirect take longer on a busy machine.
    const given = sentence === tooLate ? { limits } : {}
    expectRefusal(await runAgainst({ mint: { url, apiKey }, ...given }, 'mint'), sentence)
  })
})

test.concurrent('a backend that answers a byte a second', async () => {
  await using peer = await startFaultyPeer({ faults: [httpFaults['trickles a byte a second']] })
  const sessions = { alice: { token: 'session-of-alice', userId: 'u-alice' } }
  const url = `http://127.0.0.1:${peer.port}/calling/token`
  expectRefusal(await runAgainst({ backend: { url, sessions }, limits }, 'backend'), tooLate)
})

describe.concurrent('signaling whose certificate', () => {
  const tls = createLoopbackTls()
  test.each([
    ['has expired', tls.expired(), /certificate has expired/],
    ['is for another name', tls.forAnotherName(), /certificate.*(elsewhere\.example|another name|altnames)/],
  ])('%s', async (_, certificate, sentence) => {
    await using peer = await startFaultyPeer({ faults: [], tls: certificate })
    await using mint = await startMint()
    await using place = await createWorkplace({
      mint: { url: mint.url, apiKey: mint.keys.active },
      signaling: {
        url: `wss://127.0.0.1:${peer.port}/ws`,
        profile: {
          carriage: { in: 'query', name: 'token' },
          success: [{ quietOpenMs: 100 }],
          failure: [{ http: [401] }],
        },
      },
      tls: { ca: 'ca.pem' },
      limits,
    })
    await place.write('ca.pem', tls.ca)
    const ended = await place.start(['run', '--suite', 'signaling']).ended
    expectRefusal(ended, 'signaling: ')
    expect(ended.stderr).toMatch(sentence)
  })
})
