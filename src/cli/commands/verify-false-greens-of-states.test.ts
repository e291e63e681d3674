import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { interaction, startFixedProvider, writePactFile } from '../testing/pact-provider.ts'
import { runVerify } from '../testing/run-verify.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

describe('a state handler', () => {
  const stateful = interaction({ providerStates: [{ name: 'the moon is full' }] })

  test('causes an error quickly when it throws', async () => {
    await using provider = await startFixedProvider(200)
    await using states = await startFixedProvider(500)
    const { exitCode, results } = await runVerify({
      role: 'mint',
      url: provider.url,
      stateUrl: states.url,
      pacts: [await writePactFile([stateful])],
    })
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'error',
      reason: 'the state endpoint failed for the state "the moon is full" (status 500)',
    })
  })

  test('leaves the interaction untested when it is missing', async () => {
    await using provider = await startFixedProvider(200)
    const { exitCode, results } = await runVerify({
      role: 'mint',
      url: provider.url,
      pacts: [await writePactFile([stateful])],
    })
    expect(exitCode).toBe(3)
    expect(results?.checks[0]).toMatchObject({
      verdict: 'untested',
      reason: expect.stringContaining('unknown provider state "the moon is full"'),
    })
  })

  test('leaves the interaction untested when it does not know the state', async () => {
    await using provider = await startFixedProvider(200)
    await using states = await startFixedProvider(404)
    const { exitCode } = await runVerify({
      role: 'mint',
      url: provider.url,
      stateUrl: states.url,
      pacts: [await writePactFile([stateful])],
    })
    expect(exitCode).toBe(3)
  })

  test('fails by its exit code and gives values by its output when it is a command', async () => {
    await using provider = await startFixedProvider(200)
    const run = async (stateCommand: string) =>
      await runVerify({
        role: 'mint',
        url: provider.url,
        stateCommand,
        pacts: [
          await writePactFile([
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
    expect(await run('exit 7')).toMatchObject({ exitCode: 3 })
    expect(await run(`grep -q '"size":2' && echo '{"order":"o-77"}'`)).toMatchObject({ exitCode: 0 })
    expect(provider.heard.at(-1)?.path).toBe('/orders/o-77')
    const { exitCode, results } = await run('true')
    expect(exitCode).toBe(3)
    expect(results?.checks[0]?.reason).toBe('its provider state returned no order')
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
