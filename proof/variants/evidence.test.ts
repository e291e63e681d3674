import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BackendPolicy, referenceBackendPolicy } from '../../fixtures/backend/policy.ts'
import { startBackend } from '../../fixtures/backend/server.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { serveHops } from '../../src/roles/flow/recorded-hops.ts'
import { startRecordingProxy } from '../../src/roles/flow/recording-proxy.ts'
import flow from '../../suites/flow/keeps-secrets-on-permitted-hops.ts'
import changesNoUser from '../../suites/signaling/changes-no-open-sockets-user.ts'
import { believing } from '../../suites/signaling/lib/variant-open-sockets.ts'

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
  const check = (await loadCatalogue()).find(({ id }) => id === 'MINT-02')
  if (check === undefined) throw new Error('there is no MINT-02')
  const { verdict, findings } = await runCheck(check, session)
  expect(verdict).toBe('fail')
  const evidence = findings.flatMap((finding) => finding.evidence)
  expect(evidence.length).toBeGreaterThan(0)
  for (const id of evidence)
    expect(log.filter((line) => line.endsWith(`(7; ${id})"`))).toEqual([
      expect.stringMatching(/^POST 200 "twotoken\/\d+\.\d+\.\d+ /),
    ])
})

/** An adapter for the reference's signaling with its credential in a message. */
const adapter = `import WebSocket from ${JSON.stringify(import.meta.resolve('ws'))}

export const declaresUser = true
export async function connect({ url, token, userId }) {
  const socket = new WebSocket(url, { rejectUnauthorized: false })
  const answer = (send) => new Promise((resolve) => {
    // Frames about others come in between.
    socket.on('message', (text) => {
      const { type, userId: identity } = JSON.parse(text)
      if (type === 'welcome') resolve({ accepted: true, identity })
      if (type === 'error') resolve({ accepted: false })
    })
    socket.once('close', () => resolve({ accepted: false, unauthorized: true }))
    send()
  })
  const tell = (token, as) => socket.send(JSON.stringify({ type: 'auth', token: token ?? '', as }))
  const answered = await answer(() => socket.once('open', () => tell(token, userId)))
  return {
    ...answered,
    close: () => socket.close(),
    resend: (again) => answer(() => tell(again.token, again.userId)),
  }
}
`

const cases: readonly (readonly [string, boolean, 'pass' | 'fail'])[] = [
  ['is verified as the first one', false, 'pass'],
  ['is believed unverified', true, 'fail'],
]

test.each(cases)(
  'a second token that an adapter sends, and that %s',
  { timeout: 600_000 },
  async (_, isBelieved, verdict) => {
    const folder = await mkdtemp(join(tmpdir(), 'twotoken-adapter-'))
    const path = join(folder, 'adapter.mjs')
    await writeFile(path, adapter)
    await using reference = await startReference({
      variant: {
        signaling: believing(() => isBelieved),
        configuration: { signaling: { profile: null, adapter: path } },
      },
    })
    await using session = await openSession(reference.configuration, { wait: false })
    const { verdict: found, findings, reason } = await runCheck(changesNoUser, session)
    expect(found, JSON.stringify([reason, findings])).toBe(verdict)
    if (verdict === 'fail')
      expect(findings.map(({ message }) => message).join()).toContain('the client named as that user')
    await rm(folder, { recursive: true })
  },
)

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
