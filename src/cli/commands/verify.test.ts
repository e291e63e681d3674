import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../base/http/testing/serve.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { findFreePort } from '../../run/provision/engine/local-address.ts'
import { runVerify } from '../testing/run-verify.ts'

const temp = await openTempFolder()
const scratch = temp.path
afterAll(() => temp[Symbol.asyncDispose]())

async function fileWith(name: string, text: string): Promise<string> {
  const file = join(scratch, name)
  await writeFile(file, text)
  return file
}

let provider: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  provider = await serve((_, response) => response.end('{}'))
})
afterAll(() => provider[Symbol.asyncDispose]())

describe('a pact', () => {
  const parties = (name: string) => ({ consumer: { name: 'c' }, provider: { name } })
  test.each([
    ['that is not JSON', 'a.json', '<html>', 'a.json is not JSON; use a pact file'],
    [
      'that is none',
      'b.json',
      '{"openapi":"3.1.0"}',
      'b.json is JSON, but not a pact: consumer is invalid; use a pact file of version 2 to 4',
    ],
    [
      'of another provider',
      'c.json',
      JSON.stringify({ ...parties('shipping'), interactions: [] }),
      'c.json is for the provider shipping, not for mint; expected a pact of mint, or --provider shipping',
    ],
    [
      'of messages',
      'd.json',
      JSON.stringify({ ...parties('mint'), messages: [{}] }),
      'd.json contains messages; use a pact with HTTP interactions only',
    ],
  ])('%s', async (_, name, text, sentence) => {
    const outcome = await runVerify({ role: 'mint', url: provider.url, pacts: [await fileWith(name, text)] })
    expect(outcome).toMatchObject({ exitCode: 2, sentence: `${scratch}/${sentence}`, results: null })
  })

  test('is refused when its file does not exist', async () => {
    const outcome = await runVerify({ role: 'mint', url: provider.url, pacts: ['/nowhere/x.json'] })
    expect(outcome).toMatchObject({
      exitCode: 2,
      sentence: '/nowhere/x.json does not exist; use a pact file or a folder of them',
    })
  })
})

describe('an address', () => {
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
      { url: 'http://127.0.0.1:9' },
      'nothing was verified: the mint at http://127.0.0.1:9 refused the connection; expected an answer from --url',
    ],
    [{ url: 'http://127.0.0.1:9', broker: { url: 'broker' } }, '--broker-url is not an http or https URL'],
    [
      { url: 'http://127.0.0.1:9', broker: { url: 'http://b.example', publish: true } },
      '--publish needs --provider-version, the version that is verified',
    ],
  ])('%j', async (options, sentence) => {
    expect(await runVerify({ role: 'mint', ...options })).toMatchObject({ exitCode: 2, sentence })
  })
})

describe('a broker', () => {
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
  ])('%s', async (_, listener, said) => {
    await using broker = await serve(listener)
    const written = {
      name: 'x',
      mint: { url: provider.url, apiKey: `ac_live_${'q7'.repeat(20)}` },
      limits: { requestSeconds: 1 },
    }
    const outcome = await runVerify(
      { role: 'mint', broker: { url: broker.url, token: 'broker-token-1' } },
      written,
    )
    expect(outcome).toMatchObject({ exitCode: 2, sentence: `the broker at ${broker.url} ${said}` })
  })
})

async function verifyStarted(options: { url?: string } = {}) {
  const port = await findFreePort('127.0.0.1')
  return await runVerify(
    { role: 'mint', ...options },
    {
      mint: { url: `http://127.0.0.1:${port}`, apiKey: { command: 'cat key' } },
      start: { command: 'exit 7' },
    },
  )
}

test('starts nothing for a provider at another address', async () => {
  const { exitCode, sentence } = await verifyStarted({ url: 'http://127.0.0.1:9' })
  expect(sentence).not.toContain('start.command')
  expect(exitCode).toBe(2)
})
