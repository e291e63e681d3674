import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import type { Variant } from '../check/check.ts'
import { pactVerifier } from '../verify/core.ts'
import { verified } from './verified.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

const scratch = await mkdtemp(join(tmpdir(), 'twotoken-greens-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))
let files = 0

async function pactFile(interactions: readonly object[], provider = 'mint'): Promise<string> {
  files += 1
  const file = join(scratch, `${files}.json`)
  const metadata = { pactSpecification: { version: '4.0' } }
  await writeFile(
    file,
    JSON.stringify({ consumer: { name: 'c' }, provider: { name: provider }, interactions, metadata }),
  )
  return file
}

const interaction = (change: object = {}) => ({
  type: 'Synchronous/HTTP',
  description: 'something',
  request: { method: 'POST', path: '/api/v1/calling/token' },
  response: { status: 200 },
  ...change,
})

interface Heard {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A provider that answers everything alike and remembers what it heard; a state endpoint as well. */
async function startPeer(status: number, body = '{}') {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    heard.push({
      method: request.method ?? '',
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString('latin1'),
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

describe('a state handler', () => {
  const stateful = interaction({ providerStates: [{ name: 'the moon is full' }] })

  test('that throws is an error, and soon', async () => {
    await using provider = await startPeer(200)
    await using states = await startPeer(500)
    const begun = performance.now()
    const { exitCode, results } = await verified({
      role: 'mint',
      url: provider.url,
      stateUrl: states.url,
      pacts: [await pactFile([stateful])],
    })
    expect(exitCode).toBe(4)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'error',
      reason: 'the state endpoint failed for the state "the moon is full" (status 500)',
    })
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('that is missing leaves the interaction untested', async () => {
    await using provider = await startPeer(200)
    const { exitCode, results } = await verified({
      role: 'mint',
      url: provider.url,
      pacts: [await pactFile([stateful])],
    })
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'untested',
      reason: expect.stringContaining('"the moon is full" is not known'),
    })
  })

  test('that does not know the state leaves it untested', async () => {
    await using provider = await startPeer(200)
    await using states = await startPeer(404)
    const { exitCode } = await verified({
      role: 'mint',
      url: provider.url,
      stateUrl: states.url,
      pacts: [await pactFile([stateful])],
    })
    expect(exitCode).toBe(3)
  })

  test('that is a command fails by its exit code, and gives values by what it prints', async () => {
    await using provider = await startPeer(200)
    const run = async (stateCommand: string) =>
      await verified({
        role: 'mint',
        url: provider.url,
        stateCommand,
        pacts: [
          await pactFile([
            interaction({
              providerStates: [{ name: 'an order', params: { size: 2 } }],
              request: {
                method: 'GET',
                path: '/orders/1',
                generators: { path: { type: 'ProviderState', expression: '/orders/$' + '{order}' } },
              },
            }),
          ]),
        ],
      })
    expect(await run('exit 7')).toMatchObject({ exitCode: 4 })
    expect(await run(`grep -q '"size":2' && echo '{"order":"o-77"}'`)).toMatchObject({ exitCode: 0 })
    expect(provider.heard.at(-1)?.path).toBe('/orders/o-77')
    const { exitCode, results } = await run('true')
    expect(exitCode).toBe(3)
    expect(results?.checks[0]?.reason).toBe('the set-up of its state gave no order')
  })

  test('that cannot be had, a key of an ended trial, makes the result incomplete', async () => {
    const configuration = { mint: { keys: null } }
    await using reference = await startReference({ variant: { configuration } })
    const { exitCode, verdicts, results } = await verified({ role: 'mint' }, reference.written)
    expect(exitCode).toBe(3)
    expect(verdicts).toMatchObject({
      'PACT-MINT-01': 'pass',
      'PACT-MINT-04': 'untested',
      'PACT-MINT-05': 'untested',
    })
    expect(results?.checks[3]?.reason).toBe('needs a key in this state: mint.keys.trialEnded')
  })

  test('whose key still mints is an error unless the operator vouches for it', async () => {
    await using reference = await startReference({ variant: { mint: { admit: () => {} } } })
    const keys = { trialEnded: { key: reference.mint.keys.trialEnded, attested: false } }
    const mint = { ...(reference.written['mint'] as object), keys }
    const { verdicts } = await verified({ role: 'mint' }, { ...reference.written, mint })
    expect(verdicts).toMatchObject({ 'PACT-MINT-04': 'error' })
  })
})

describe('raw bodies', () => {
  test.each([
    ['malformed JSON', '{"userId":'],
    ['JSON with more white space than it needs', '{ "userId" :   "ü" }\n\n'],
    ['bytes that are no UTF-8', '\xff\xfe\x00'],
  ])('%s reaches the provider unchanged', async (_, text) => {
    await using provider = await startPeer(400)
    const raw = Buffer.from(text, 'latin1')
    const body = { content: raw.toString('base64'), contentType: 'application/json', encoded: 'base64' }
    const request = {
      method: 'POST',
      path: '/api/v1/calling/token',
      headers: { 'Content-Type': ['application/json'] },
      body,
    }
    const pacts = [await pactFile([interaction({ request, response: { status: 400 } })])]
    const { exitCode } = await verified({ role: 'mint', url: provider.url, pacts })
    expect(exitCode).toBe(0)
    expect(provider.heard.at(-1)?.body).toBe(text)
  })

  test('malformed JSON that the provider takes is a violation', async () => {
    await using provider = await startPeer(200)
    const body = {
      content: Buffer.from('{"a":').toString('base64'),
      contentType: 'application/json',
      encoded: 'base64',
    }
    const request = { method: 'POST', path: '/api/v1/calling/token', body }
    const pacts = [await pactFile([interaction({ request, response: { status: 400 } })])]
    expect(await verified({ role: 'mint', url: provider.url, pacts })).toMatchObject({ exitCode: 1 })
  })
})

describe('nothing to verify', () => {
  test('a pact without interactions', async () => {
    await using provider = await startPeer(200)
    const { exitCode, sentence } = await verified({
      role: 'mint',
      url: provider.url,
      pacts: [await pactFile([])],
    })
    expect(exitCode).toBe(2)
    expect(sentence).toContain('holds no interaction')
  })

  test('an empty folder', async () => {
    await using provider = await startPeer(200)
    const empty = join(scratch, 'empty')
    await mkdir(empty)
    const { exitCode, sentence } = await verified({ role: 'mint', url: provider.url, pacts: [empty] })
    expect(exitCode).toBe(2)
    expect(sentence).toContain('holds no pact file')
  })

  test('only interactions that do not apply', async () => {
    await using provider = await startPeer(200)
    const own = interaction({
      request: { method: 'GET', path: '/calling/token' },
      comments: { references: { twotoken: { id: 'PACT-BACK-02' } } },
    })
    const pacts = [await pactFile([own], 'backend')]
    expect(await verified({ role: 'backend', url: provider.url, pacts })).toMatchObject({ exitCode: 3 })
  })
})

describe('a core that reports', () => {
  test('fewer results than there are interactions is an error', async () => {
    await using reference = await startReference()
    const core: typeof pactVerifier = async (options) => (await pactVerifier(options)).slice(1)
    const { exitCode, results } = await verified({ role: 'mint' }, reference.written, { core })
    expect(exitCode).toBe(4)
    expect(results?.summary).toMatchObject({ pass: 6, error: 1 })
    expect(results?.checks.find(({ verdict }) => verdict === 'error')?.reason).toBe(
      'the Pact verifier gave no result for it',
    )
  })

  test('success without having asked the provider is an error', async () => {
    await using provider = await startPeer(200)
    const core: typeof pactVerifier = async () => [
      { description: '#1 something', ok: true, mismatches: [], error: null },
    ]
    const { exitCode, results } = await verified(
      { role: 'mint', url: provider.url, pacts: [await pactFile([interaction()])] },
      undefined,
      { core },
    )
    expect(exitCode).toBe(4)
    expect(results?.checks[0]?.reason).toBe('its request never reached the provider')
  })
})

describe('a provider that is down', () => {
  test('from the beginning judges nothing', async () => {
    const { exitCode, sentence } = await verified({
      role: 'backend',
      url: 'http://127.0.0.1:9/calling/token',
    })
    expect(exitCode).toBe(2)
    expect(sentence).toBe(
      'nothing was verified: the backend at http://127.0.0.1:9 refuses the connection; expected an answer from --url',
    )
  })

  test('from the middle on is an error, also where 502 is expected', async () => {
    const provider = await startPeer(200)
    const core: typeof pactVerifier = async (options) => {
      await provider[Symbol.asyncDispose]()
      return await pactVerifier(options)
    }
    const pacts = [await pactFile([interaction({ response: { status: 502 } })])]
    const { exitCode, results } = await verified({ role: 'mint', url: provider.url, pacts }, undefined, {
      core,
    })
    expect(exitCode).toBe(4)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'error',
      reason: 'the provider refuses the connection',
    })
  })
})

describe('an extra field that holds a key', () => {
  const encodings = {
    plain: (key: string) => key,
    base64: (key: string) => Buffer.from(key).toString('base64'),
    hex: (key: string) => Buffer.from(key).toString('hex'),
    percent: (key: string) => `%61%63${encodeURIComponent(key.slice(2))}`,
  }
  const json = { 'content-type': 'application/json' }

  test.each(Object.entries(encodings))('%s, from a backend', async (_, encoded) => {
    let key = ''
    const variant: Variant = {
      backend: {
        success: (_usual, { token }) => ({
          status: 200,
          headers: json,
          body: JSON.stringify({ token, debug: encoded(key) }),
        }),
      },
    }
    await using reference = await startReference({ variant })
    key = reference.mint.keys.active
    const { exitCode, results, stdout, junit } = await verified({ role: 'backend' }, reference.written)
    expect(exitCode).toBe(1)
    expect(results?.checks[0]?.findings[0]?.message).toBe(
      'saw an API key in the body of the answer; expected an answer without any key',
    )
    expect(JSON.stringify(results) + stdout + junit).not.toContain(key)
  })

  test('from a mint, which the core takes for a success', async () => {
    const variant: Variant = {
      mint: {
        answer: (usual, { headers }) =>
          usual.status === 200
            ? { ...usual, body: JSON.stringify({ ...JSON.parse(usual.body), for: headers.authorization }) }
            : usual,
      },
    }
    await using reference = await startReference({ variant })
    let core: string[] = []
    const { exitCode } = await verified({ role: 'mint' }, reference.written, {
      core: async (options) => {
        const results = await pactVerifier(options)
        core = results.filter(({ ok }) => !ok).map(({ description }) => description)
        return results
      },
    })
    expect(core).toEqual([])
    expect(exitCode).toBe(1)
  })

  test('in a header', async () => {
    const variant: Variant = {
      backend: {
        answer: (usual) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint-key': `ac_live_${'x1'.repeat(20)}` },
        }),
      },
    }
    await using reference = await startReference({ variant })
    expect(await verified({ role: 'backend' }, reference.written)).toMatchObject({ exitCode: 1 })
  })

  test('in the refusal of a mint is only advised against', async () => {
    const variant: Variant = {
      mint: {
        refuse: ({ status }, { headers }) => ({
          status,
          headers: json,
          body: JSON.stringify({ bad: headers.authorization }),
        }),
      },
    }
    await using reference = await startReference({ variant })
    const { exitCode, verdicts } = await verified({ role: 'mint' }, reference.written)
    expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'pass', 'PACT-MINT-04': 'warn' })
    expect(exitCode).toBe(0)
  })
})
