import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { pactVerifier } from '../../contracts/pact-core.ts'
import type { Variant } from '../../requirement/define.ts'
import { interaction, scratch, startFixedProvider, writePactFile } from '../testing/pact-provider.ts'
import { runVerify } from '../testing/run-verify.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

/** A provider that gives every request the same status, verified by a pact of these interactions. */
async function verifyFixed(status: number, interactions: readonly object[], options: object = {}) {
  await using provider = await startFixedProvider(status)
  const pacts = [await writePactFile(interactions)]
  return {
    ...(await runVerify({ role: 'mint', url: provider.url, pacts, ...options })),
    heard: provider.heard,
  }
}

describe('raw bodies', () => {
  const sending = (text: string) => {
    const content = Buffer.from(text, 'latin1').toString('base64')
    const body = { content, contentType: 'application/json', encoded: 'base64' }
    const headers = { 'Content-Type': ['application/json'] }
    const request = { method: 'POST', path: '/api/v1/calling/token', headers, body }
    return [interaction({ request, response: { status: 400 } })]
  }

  test.each([
    ['malformed JSON', '{"userId":'],
    ['JSON with more white space than it needs', '{ "userId" :   "ü" }\n\n'],
    ['bytes that are no UTF-8', '\xff\xfe\x00'],
  ])('%s reaches the provider unchanged', async (_, text) => {
    const { exitCode, heard } = await verifyFixed(400, sending(text))
    expect(exitCode).toBe(0)
    expect(heard.at(-1)?.body).toBe(text)
  })

  test('malformed JSON that the provider takes is a violation', async () => {
    expect(await verifyFixed(200, sending('{"a":'))).toMatchObject({ exitCode: 1 })
  })
})

describe('nothing to verify', () => {
  test('a pact without interactions', async () => {
    const { exitCode, sentence } = await verifyFixed(200, [])
    expect(exitCode).toBe(2)
    expect(sentence).toContain('contains no interaction')
  })

  test('an empty folder', async () => {
    const empty = join(scratch, 'empty')
    await mkdir(empty)
    const { exitCode, sentence } = await verifyFixed(200, [], { pacts: [empty] })
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

describe('a state handler', () => {
  const stateful = interaction({ providerStates: [{ name: 'the moon is full' }] })

  test('causes an error quickly when it throws', async () => {
    await using states = await startFixedProvider(500)
    const { exitCode, results } = await verifyFixed(200, [stateful], { stateUrl: states.url })
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'error',
      reason: 'the state endpoint failed for the state "the moon is full" (status 500)',
    })
  })

  test('leaves the interaction untested when it is missing', async () => {
    const { exitCode, results } = await verifyFixed(200, [stateful])
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'untested',
      reason: expect.stringContaining('unknown provider state "the moon is full"'),
    })
  })

  const generators = { path: { type: 'ProviderState', expression: '/orders/$' + '{order}' } }
  const ordering = interaction({
    providerStates: [{ name: 'an order', params: { size: 2 } }],
    request: { method: 'GET', path: '/orders/1', generators },
  })
  const run = (stateCommand: string) => verifyFixed(200, [ordering], { stateCommand })

  test('fails by its exit code and gives values by its output when it is a command', async () => {
    expect(await run('exit 7')).toMatchObject({ exitCode: 3 })
    const given = await run(`grep -q '"size":2' && echo '{"order":"o-77"}'`)
    expect(given.exitCode).toBe(0)
    expect(given.heard.at(-1)?.path).toBe('/orders/o-77')
    const { exitCode, results } = await run('true')
    expect(exitCode).toBe(3)
    expect(results?.checks[0]?.reason).toBe('its provider state returned no order')
    expect((await run('echo ready')).results?.checks[0]?.reason).toBe(
      '--state-command printed no JSON object for the state "an order"; print one, or nothing',
    )
  })

  test('leaves a service running that its command starts', async () => {
    const [asked, answered] = [join(scratch, 'asked'), join(scratch, 'answered')]
    const service = `until test -e ${asked}; do sleep 0.1; done; echo yes >${answered}`
    const { exitCode } = await run(`(${service}) >/dev/null & echo '{"order":"o-77"}'`)
    await writeFile(asked, '')
    expect(exitCode).toBe(0)
    await expect.poll(() => readFile(answered, 'utf8').catch(() => '')).toBe('yes\n')
  })

  test('makes the result incomplete when it is unavailable: a key of an ended trial', async () => {
    const configuration = { mint: { keys: null } }
    await using reference = await startReference({ variant: { configuration } })
    const { exitCode, verdicts, results } = await runVerify({ role: 'mint' }, reference.written)
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
    const { verdicts } = await runVerify({ role: 'mint' }, { ...reference.written, mint })
    expect(verdicts).toMatchObject({ 'PACT-MINT-04': 'error' })
  })
})

describe('an extra field with a key', () => {
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
    const { exitCode } = await runVerify({ role: 'mint' }, reference.written, {
      core: async (options) => {
        const results = await pactVerifier(options)
        core = results.filter(({ ok }) => !ok).map(({ description }) => description)
        return results
      },
    })
    expect(core).toEqual([])
    expect(exitCode).toBe(1)
  })
})
