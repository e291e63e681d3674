import { expect, test } from 'vitest'
import { type BackendPolicy, referenceBackendPolicy } from '../../fixtures/backend/policy.ts'
import { startBackend } from '../../fixtures/backend/server.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { startReference } from '../../fixtures/stack.ts'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { serveHops } from '../../src/roles/flow/recorded-hops.ts'
import { startRecordingProxy } from '../../src/roles/flow/recording-proxy.ts'
import flow from '../../suites/flow/keeps-secrets-on-permitted-hops.ts'

test('a request of a failing verdict is found in the log of the implementation', async () => {
  const log: string[] = []
  await using reference = await startReference({
    variant: {
      mint: {
        success: () => ({ status: 200, headers: {}, body: '{}' }),
        answer(usual, { method, headers }) {
          log.push(`${method} ${usual.status} "${headers['user-agent']}"`)
          return usual
        },
      },
    },
  })
  await using session = await openSession(reference.configuration, { seed: 7 })
  const { verdict, findings } = await runCheck(findCheck('MINT-02', await loadCatalogue()), session)
  expect(verdict).toBe('fail')
  const evidence = findings.flatMap((finding) => finding.evidence)
  expect(evidence.length).toBeGreaterThan(0)
  for (const id of evidence)
    expect(log.filter((line) => line.endsWith(`(7; ${id})"`))).toEqual([
      expect.stringMatching(/^POST 200 "twotoken\/\d+\.\d+\.\d+ /),
    ])
})

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

test.concurrent('a backend that tells the mint the session fails by what the proxy saw', async () => {
  const { verdict, findings } = await judged({
    mintCall: (usual, { inbound }) => ({
      ...usual,
      headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
    }),
  })
  expect(verdict).toBe('fail')
  const finding = findings.find(({ message }) => message.startsWith('saw the sessionToken in a mint request'))
  expect(finding?.evidence).toHaveLength(1)
})
