import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../../base/http/testing/serve.ts'
import { scratch, startFixedProvider } from '../testing/pact-provider.ts'
import { runVerify } from '../testing/run-verify.ts'

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
