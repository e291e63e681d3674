import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { runVerify } from '../testing/run-verify.ts'

async function listening(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

test('a mint double that speaks TLS names its authority, and serves the backend', async () => {
  const apiKey = `ac_live_${'k4'.repeat(20)}`
  const session = 'session-of-alice'
  const { port: doublePort } = await (async () => {
    await using free = await listening(() => {})
    return { port: free.port }
  })()
  await using stack = new AsyncDisposableStack()
  const trusting = stack.adopt(new Agent({ connect: { rejectUnauthorized: false } }), (agent) =>
    agent.destroy(),
  )
  await using backend = await listening(async (incoming, response) => {
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (incoming.headers.authorization !== `Bearer ${session}`) {
      answer(401, { error: 'sign in' })
      return
    }
    const minted = await request(`https://127.0.0.1:${doublePort}/api/v1/calling/token`, {
      dispatcher: trusting,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{"userId":"alice","ttlSeconds":900}',
    })
    const text = await minted.body.text()
    if (minted.statusCode === 200) answer(200, { token: JSON.parse(text).token })
    else answer(502, { error: 'no calling' })
  })
  const { exitCode, verdicts, stderr } = await runVerify(
    { role: 'backend' },
    {
      name: 'tls',
      backend: {
        url: `http://127.0.0.1:${backend.port}/calling/token`,
        sessions: { alice: { token: session, userId: 'alice' }, expired: { token: 'session-of-old' } },
        fakeMint: { listen: `127.0.0.1:${doublePort}`, tls: true, apiKey },
      },
    },
  )
  expect(stderr).toContain('mint-double-ca.pem')
  expect(verdicts).toMatchObject({ 'PACT-BACK-01': 'pass', 'PACT-BACK-04': 'pass', 'PACT-BACK-05': 'pass' })
  expect(exitCode).toBe(0)
})
