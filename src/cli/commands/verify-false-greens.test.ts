import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { pactVerifier } from '../../contracts/pact-core.ts'
import type { Variant } from '../../requirement/define.ts'
import { interaction, runVerify, scratch, startFixedProvider, writePactFile } from '../testing/run-verify.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

async function verifyFixed(
  status: number,
  interactions: readonly object[],
  options: object = {},
  core = pactVerifier,
) {
  await using provider = await startFixedProvider(status)
  const given = { role: 'mint', url: provider.url, pact: [await writePactFile(interactions)] } as const
  const outcome = await runVerify({ ...given, ...options }, undefined, { core })
  return { ...outcome, first: outcome.results?.checks[0], heard: provider.heard }
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

test('a pact without interactions and an empty folder verify nothing', async () => {
  const empty = join(scratch, 'empty')
  await mkdir(empty)
  expect(await verifyFixed(200, [])).toMatchObject({
    exitCode: 2,
    sentence: expect.stringContaining('contains no interaction'),
  })
  expect(await verifyFixed(200, [], { pact: [empty] })).toMatchObject({
    exitCode: 2,
    sentence: expect.stringContaining('contains no pact file'),
  })
})

test('interactions that do not apply verify nothing', async () => {
  const own = interaction({
    request: { method: 'GET', path: '/calling/token' },
    comments: { references: { twotoken: { id: 'PACT-BACK-02' } } },
  })
  const pact = [await writePactFile([own], 'backend')]
  expect(await verifyFixed(200, [], { role: 'backend', pact })).toMatchObject({ exitCode: 3 })
})

test('a core that reports fewer results than there are interactions is an error', async () => {
  await using reference = await startReference()
  const core: typeof pactVerifier = async (options) => (await pactVerifier(options)).slice(1)
  const { exitCode, results } = await runVerify({ role: 'mint' }, reference.written, { core })
  expect(exitCode).toBe(4)
  expect(results?.summary).toMatchObject({ pass: 6, error: 1 })
  const reason = 'the Pact verifier returned no result for it'
  expect(results?.checks.find(({ verdict }) => verdict === 'error')).toMatchObject({ reason })
})

test('a core that reports success without having asked the provider is an error', async () => {
  const { exitCode, first } = await verifyFixed(200, [interaction()], {}, async () => [
    { description: '#1 something', ok: true, mismatches: [], error: null },
  ])
  expect(exitCode).toBe(4)
  expect(first?.reason).toBe('its request never reached the provider')
})

test('a provider that is down from the middle on is an error, also where 502 is expected', async () => {
  const provider = await startFixedProvider(200)
  const core: typeof pactVerifier = async (options) => {
    await provider[Symbol.asyncDispose]()
    return await pactVerifier(options)
  }
  const failing = [interaction({ response: { status: 502 } })]
  const { exitCode, first } = await verifyFixed(200, failing, { url: provider.url }, core)
  expect(exitCode).toBe(3)
  expect(first).toMatchObject({ verdict: 'error', reason: 'the provider refused the connection' })
})

describe('a state handler', () => {
  const stateful = interaction({ providerStates: [{ name: 'the moon is full' }] })

  test('causes an error quickly when it throws', async () => {
    await using states = await startFixedProvider(500)
    const { exitCode, first } = await verifyFixed(200, [stateful], { stateUrl: states.url })
    expect(exitCode).toBe(3)
    expect(first).toMatchObject({
      verdict: 'error',
      reason: 'the state endpoint failed for the state "the moon is full" (status 500)',
    })
  })

  test('leaves the interaction untested when it is missing', async () => {
    const { exitCode, first } = await verifyFixed(200, [stateful])
    expect(exitCode).toBe(3)
    const reason = expect.stringContaining('unknown provider state "the moon is full"')
    expect(first).toMatchObject({ verdict: 'untested', reason })
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
    const reason = 'its provider state returned no order'
    expect(await run('true')).toMatchObject({ exitCode: 3, first: { reason } })
    expect((await run('echo ready')).first?.reason).toBe(
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
    await using reference = await startReference({ variant: { configuration: { mint: { keys: null } } } })
    const { exitCode, verdicts, results } = await runVerify({ role: 'mint' }, reference.written)
    expect(exitCode).toBe(3)
    expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'pass', 'PACT-MINT-05': 'untested' })
    const reason = 'needs a key in this state: mint.keys.trialEnded'
    expect(results?.checks[3]).toMatchObject({ id: 'PACT-MINT-04', verdict: 'untested', reason })
  })

  test('whose key still mints is an error unless the operator vouches for it', async () => {
    await using reference = await startReference({ variant: { mint: { admit: () => {} } } })
    const keys = { trialEnded: { key: reference.mint.keys.trialEnded, attested: false } }
    const mint = { ...(reference.written['mint'] as object), keys }
    const { verdicts } = await runVerify({ role: 'mint' }, { ...reference.written, mint })
    expect(verdicts).toMatchObject({ 'PACT-MINT-04': 'error' })
  })
})

test('an extra field with a key, which the core takes for a success, is a violation', async () => {
  const variant: Variant = {
    mint: {
      answer: (usual, { headers }) =>
        usual.status === 200
          ? { ...usual, body: JSON.stringify({ ...JSON.parse(usual.body), for: headers.authorization }) }
          : usual,
    },
  }
  await using reference = await startReference({ variant })
  let failed: unknown
  const core: typeof pactVerifier = async (options) => {
    const results = await pactVerifier(options)
    failed = results.filter(({ ok }) => !ok)
    return results
  }
  expect(await runVerify({ role: 'mint' }, reference.written, { core })).toMatchObject({ exitCode: 1 })
  expect(failed).toEqual([])
})
