import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { pactVerifier } from '../../contracts/pact-core.ts'
import { interaction, scratch, startFixedProvider, writePactFile } from '../testing/pact-provider.ts'
import { runVerify } from '../testing/run-verify.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

describe('raw bodies', () => {
  test.each([
    ['malformed JSON', '{"userId":'],
    ['JSON with more white space than it needs', '{ "userId" :   "ü" }\n\n'],
    ['bytes that are no UTF-8', '\xff\xfe\x00'],
  ])('%s reaches the provider unchanged', async (_, text) => {
    await using provider = await startFixedProvider(400)
    const raw = Buffer.from(text, 'latin1')
    const body = { content: raw.toString('base64'), contentType: 'application/json', encoded: 'base64' }
    const request = {
      method: 'POST',
      path: '/api/v1/calling/token',
      headers: { 'Content-Type': ['application/json'] },
      body,
    }
    const pacts = [await writePactFile([interaction({ request, response: { status: 400 } })])]
    const { exitCode } = await runVerify({ role: 'mint', url: provider.url, pacts })
    expect(exitCode).toBe(0)
    expect(provider.heard.at(-1)?.body).toBe(text)
  })

  test('malformed JSON that the provider takes is a violation', async () => {
    await using provider = await startFixedProvider(200)
    const body = {
      content: Buffer.from('{"a":').toString('base64'),
      contentType: 'application/json',
      encoded: 'base64',
    }
    const request = { method: 'POST', path: '/api/v1/calling/token', body }
    const pacts = [await writePactFile([interaction({ request, response: { status: 400 } })])]
    expect(await runVerify({ role: 'mint', url: provider.url, pacts })).toMatchObject({ exitCode: 1 })
  })
})

describe('nothing to verify', () => {
  test('a pact without interactions', async () => {
    await using provider = await startFixedProvider(200)
    const { exitCode, sentence } = await runVerify({
      role: 'mint',
      url: provider.url,
      pacts: [await writePactFile([])],
    })
    expect(exitCode).toBe(2)
    expect(sentence).toContain('contains no interaction')
  })

  test('an empty folder', async () => {
    await using provider = await startFixedProvider(200)
    const empty = join(scratch, 'empty')
    await mkdir(empty)
    const { exitCode, sentence } = await runVerify({ role: 'mint', url: provider.url, pacts: [empty] })
    expect(exitCode).toBe(2)
    expect(sentence).toContain('contains no pact file')
  })

  test('only interactions that do not apply', async () => {
    await using provider = await startFixedProvider(200)
    const own = interaction({
      request: { method: 'GET', path: '/calling/token' },
      comments: { references: { twotoken: { id: 'PACT-BACK-02' } } },
    })
    const pacts = [await writePactFile([own], 'backend')]
    expect(await runVerify({ role: 'backend', url: provider.url, pacts })).toMatchObject({ exitCode: 3 })
  })
})

describe('a core that reports', () => {
  test('fewer results than there are interactions is an error', async () => {
    await using reference = await startReference()
    const core: typeof pactVerifier = async (options) => (await pactVerifier(options)).slice(1)
    const { exitCode, results } = await runVerify({ role: 'mint' }, reference.written, { core })
    expect(exitCode).toBe(4)
    expect(results?.summary).toMatchObject({ pass: 6, error: 1 })
    expect(results?.checks.find(({ verdict }) => verdict === 'error')?.reason).toBe(
      'the Pact verifier returned no result for it',
    )
  })

  test('success without having asked the provider is an error', async () => {
    await using provider = await startFixedProvider(200)
    const core: typeof pactVerifier = async () => [
      { description: '#1 something', ok: true, mismatches: [], error: null },
    ]
    const { exitCode, results } = await runVerify(
      { role: 'mint', url: provider.url, pacts: [await writePactFile([interaction()])] },
      undefined,
      { core },
    )
    expect(exitCode).toBe(4)
    expect(results?.checks[0]?.reason).toBe('its request never reached the provider')
  })
})

describe('a provider that is down', () => {
  test('from the beginning judges nothing', async () => {
    const { exitCode, sentence } = await runVerify({
      role: 'backend',
      url: 'http://127.0.0.1:9/calling/token',
    })
    expect(exitCode).toBe(2)
    expect(sentence).toBe(
      'nothing was verified: the backend at http://127.0.0.1:9 refused the connection; expected an answer from --url',
    )
  })

  test('from the middle on is an error, also where 502 is expected', async () => {
    const provider = await startFixedProvider(200)
    const core: typeof pactVerifier = async (options) => {
      await provider[Symbol.asyncDispose]()
      return await pactVerifier(options)
    }
    const pacts = [await writePactFile([interaction({ response: { status: 502 } })])]
    const { exitCode, results } = await runVerify({ role: 'mint', url: provider.url, pacts }, undefined, {
      core,
    })
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'error',
      reason: 'the provider refused the connection',
    })
  })
})
