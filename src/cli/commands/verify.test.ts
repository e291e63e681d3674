import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type StandIn, startStandIn } from '../../../contracts/broker/stand-in.ts'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { serve } from '../../base/http/testing/serve.ts'
import { pactProgram } from '../../contracts/pact-core.ts'
import type { Variant } from '../../requirement/define.ts'
import { runVerify, scratch, startFixedProvider, type VerifyRun } from '../testing/run-verify.ts'

const parties = (name: string) => ({ consumer: { name: 'c' }, provider: { name } })

test.each([
  ['that is not JSON', '<html>', ' is not JSON; use a pact file'],
  [
    'that is none',
    '{"openapi":"3.1.0"}',
    ' is JSON, but not a pact: consumer is invalid; use a pact file of version 2 to 4',
  ],
  [
    'of another provider',
    JSON.stringify({ ...parties('shipping'), interactions: [] }),
    ' is for the provider shipping, not for mint; expected a pact of mint, or --provider shipping',
  ],
  [
    'of messages',
    JSON.stringify({ ...parties('mint'), messages: [{}] }),
    ' contains messages; use a pact with HTTP interactions only',
  ],
  ['that does not exist', null, ' does not exist; use a pact file or a folder of them'],
])('a pact %s', async (name, text, sentence) => {
  await using provider = await startFixedProvider(200)
  const file = join(scratch, `${name}.json`)
  if (text !== null) await writeFile(file, text)
  const outcome = await runVerify({ role: 'mint', url: provider.url, pact: [file] })
  expect(outcome).toMatchObject({ exitCode: 2, sentence: file + sentence, results: null })
})

const url = 'http://127.0.0.1:9'

test.each([
  [
    {},
    'no provider is given: describe it in twotoken.yaml (npx twotoken init writes one), or name it with --url',
  ],
  [
    { url: 'ftp://mint.example' },
    '--url is not an http or https URL; use one such as https://api.example.com',
  ],
  [
    { url },
    'nothing was verified: the mint at http://127.0.0.1:9 refused the connection; expected an answer from --url',
  ],
  [{ url, brokerUrl: 'broker' }, '--broker-url is not an http or https URL'],
  [
    { url, brokerUrl: 'http://b.example', publish: true },
    '--publish needs --provider-version, the version that is verified',
  ],
])('an address: %j', async (options, sentence) => {
  expect(await runVerify({ role: 'mint', ...options })).toMatchObject({ exitCode: 2, sentence })
})

test.each<[string, RequestListener, string]>([
  [
    'that answers 401',
    (_, response) => response.writeHead(401).end(),
    'answered 401; expected a broker token with this permission',
  ],
  [
    'that is none',
    (_, response) => response.end('<html>'),
    'has no pb:provider-pacts-for-verification link; use the address of a Pact Broker',
  ],
  ['that hangs', () => {}, 'did not answer within 1 s; expected the address of a running Pact Broker'],
])('a broker %s', async (_, listener, said) => {
  await using provider = await startFixedProvider(200)
  await using broker = await serve(listener)
  const mint = { url: provider.url, apiKey: `ac_live_${'q7'.repeat(20)}` }
  const given = { role: 'mint', brokerUrl: broker.url, brokerToken: 'broker-token-1' } as const
  const outcome = await runVerify(given, { name: 'x', mint, limits: { requestSeconds: 1 } })
  expect(outcome).toMatchObject({ exitCode: 2, sentence: `the broker at ${broker.url} ${said}` })
})

test('starts nothing for a provider at another address', async () => {
  const mint = { url: 'http://127.0.0.1:10', apiKey: { command: 'cat key' } }
  const outcome = await runVerify({ role: 'mint', url }, { mint, start: { command: 'exit 7' } })
  expect(outcome).toMatchObject({ exitCode: 2, sentence: expect.not.stringContaining('start.command') })
})

const pacts = join(import.meta.dirname, '../../../contracts/pacts')

/** The Pact command line, as `npx pact broker …` runs it; the exit code. */
async function pactBroker({ url, token }: StandIn, told: string): Promise<number> {
  const access = ['--broker-base-url', url, '--broker-token', token, '--retries', '0']
  const args = ['broker', ...told.split(' '), ...access]
  return (await runToEnd(pactProgram(), args, { env: { PACT_DO_NOT_TRACK: 'true' } })).code
}

const publishing = `publish ${join(pacts, 'app-backend.json')} --consumer-app-version 1.0.0 --branch main`
const released = '--pacticipant app --version 1.0.0'
const asking = `can-i-deploy ${released} --to-environment production`
const recording = `record-deployment ${released} --environment production`

async function verifiedFrom(
  { url, token }: StandIn,
  variant: Variant,
  choice: { readonly enablePending?: boolean } = {},
): Promise<VerifyRun> {
  await using reference = await startReference({ variant })
  const version = { publish: true, providerVersion: '2.0.0', providerBranch: 'main' }
  const broker = { brokerUrl: url, brokerToken: token, ...version, ...choice }
  return await runVerify({ role: 'backend', ...broker }, reference.written)
}

test('a pact is published, verified, found deployable and recorded as deployed', async () => {
  await using broker = await startStandIn()
  expect(await pactBroker(broker, publishing)).toBe(0)
  expect(broker.contracts).toMatchObject([
    { consumer: 'app', provider: 'backend', consumerVersion: '1.0.0', branch: 'main' },
  ])
  expect(await pactBroker(broker, asking)).toBe(1)

  expect(await verifiedFrom(broker, {})).toMatchObject({ exitCode: 0, verdicts: { 'PACT-BACK-05': 'pass' } })
  expect(broker.selections).toEqual([
    {
      consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }],
      includePendingStatus: false,
      providerVersionBranch: 'main',
    },
  ])
  expect(broker.contracts[0]?.results).toEqual([{ success: true, providerApplicationVersion: '2.0.0' }])
  expect(await pactBroker(broker, asking)).toBe(0)
  expect(await pactBroker(broker, recording)).toBe(0)
  expect(broker.deployments).toEqual(['app 1.0.0 in production'])
})

const leaking: Variant = {
  backend: {
    success: (_, { token }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, key: `ac_live_${'z3'.repeat(20)}` }),
    }),
  },
}

test('a leak that the Pact core does not see is published as a failure', async () => {
  await using broker = await startStandIn()
  await pactBroker(broker, publishing)
  expect(await verifiedFrom(broker, leaking)).toMatchObject({ exitCode: 1 })
  expect(broker.contracts[0]?.results).toMatchObject([{ success: false }])
  expect(await pactBroker(broker, asking)).toBe(1)
})

test('a pending pact that fails does not fail the verification, and is published as a failure', async () => {
  await using broker = await startStandIn()
  await pactBroker(broker, publishing)
  const { exitCode, results } = await verifiedFrom(broker, leaking, { enablePending: true })
  expect(exitCode).toBe(0)
  expect(results?.checks[0]).toMatchObject({ verdict: 'warn', waived: true })
  expect(broker.contracts[0]?.results).toMatchObject([{ success: false }])
  expect(await verifiedFrom(broker, leaking, { enablePending: true })).toMatchObject({ exitCode: 1 })
})

test('an incomplete verification is not published at all', async () => {
  await using broker = await startStandIn()
  await pactBroker(broker, publishing)
  const incomplete = { configuration: { backend: { sessions: { expired: null } } } }
  const { exitCode, stderr } = await verifiedFrom(broker, incomplete)
  expect(exitCode).toBe(3)
  expect(stderr).toBe('not published for app: 1 of its interactions could not be judged\n')
  expect(broker.contracts[0]?.results).toEqual([])
})

test('a broker without a pact for the provider judges nothing', async () => {
  await using broker = await startStandIn()
  const { exitCode, sentence } = await verifiedFrom(broker, {})
  expect(exitCode).toBe(2)
  expect(sentence).toContain('has no pact for backend')
})
