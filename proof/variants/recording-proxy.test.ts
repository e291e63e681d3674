import { expect, test } from 'vitest'
import { type BackendPolicy, referenceBackendPolicy } from '../../fixtures/backend/policy.ts'
import { startBackend } from '../../fixtures/backend/server.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { serveHops } from '../../src/roles/flow/recorded-hops.ts'
import { startRecordingProxy } from '../../src/roles/flow/recording-proxy.ts'
import flow from '../../suites/flow/keeps-secrets-on-permitted-hops.ts'

/** FLOW-04 on a backend that knows no double, with a recording proxy on its way to the mint. */
async function judged(policy: Partial<BackendPolicy>) {
  await using mint = await startMint()
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(mint.url)
  await using records = await serveHops([proxy])
  await using backend = await startBackend({
    mintUrl: `http://127.0.0.1:${proxy.port}`,
    apiKey: mint.keys.active,
    policy: { ...referenceBackendPolicy, ...policy },
  })
  const { alice, bob } = backend.sessions
  const written = {
    mint: { url: mint.url, apiKey: mint.keys.active },
    backend: { url: backend.tokenUrl, sessions: { alice, bob } },
  }
  const configuration = await resolveConfiguration(written, { directory: '/', environment: {} })
  await using session = await openSession({ ...configuration, hopRecords: records.url })
  return await runCheck(flow, session)
}

test.concurrent('a backend that keeps secrets apart passes, and the proxy is named', async () => {
  const { verdict, observations } = await judged({})
  expect(verdict).toBe('pass')
  expect(observations['flow.secretPlaces']).toMatchObject({
    "a mint request's Authorization header": { 'API key': 'belongs', sessionToken: 'not seen' },
    "the mint's answer": { 'calling JWT': 'belongs' },
  })
})

test.concurrent.each<[string, Partial<BackendPolicy>, string]>([
  [
    'the session',
    {
      mintCall: (usual, { inbound }) => ({
        ...usual,
        headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
      }),
    },
    'saw the sessionToken in a mint request',
  ],
  [
    'the key in the address',
    { mintCall: (usual, { apiKey }) => ({ ...usual, path: `${usual.path}?api_key=${apiKey}` }) },
    'saw the API key in a mint request',
  ],
])('a backend that tells the mint %s fails by what the proxy saw', async (_, policy, message) => {
  const { verdict, findings } = await judged(policy)
  expect(verdict).toBe('fail')
  const finding = findings.find((one) => one.message.startsWith(message))
  expect(finding?.evidence).toHaveLength(1)
})
