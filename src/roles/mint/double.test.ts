import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { createServerCertificate } from '../../base/tls/certificates.ts'
import { mintContract } from '../../contract/mint.ts'
import { type MintDouble, startMintDouble } from './double.ts'
import { createSigningIssuer } from './issuer.ts'

const apiKey = `ac_live_${'d'.repeat(32)}`

async function double(port = 0, { tls = false } = {}): Promise<MintDouble> {
  return await startMintDouble({
    fakeMint: { host: '127.0.0.1', port, tls, apiKey },
    ...(tls && { certificate: createServerCertificate({ names: ['127.0.0.1'] }) }),
    issuer: await createSigningIssuer(null, () => Date.now()),
    journal: createJournal(),
    secrets: createSecrets(),
    clock: systemClock,
    bodyBytes: 100_000,
  })
}

const ask = (mint: MintDouble, body: unknown = { userId: 'u-1', ttlSeconds: 60 }, key = apiKey) =>
  fetch(mint.url + mintContract.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('answers a health probe with 200, also while it is scripted, and counts no call', async () => {
  await using mint = await double()
  await mint.scripted(async (scripted) => {
    scripted.answer(() => 'hang')
    const probed = await fetch(`${mint.url}/health`)
    expect(probed.status).toBe(200)
    expect(scripted.calls()).toEqual([])
    expect(scripted.probes().map(({ target }) => target)).toEqual(['/health'])
  })
})

test('counts a GET with the key, and a POST without it, as mint calls', async () => {
  await using mint = await double()
  await mint.scripted(async (scripted) => {
    await fetch(`${mint.url}/other?key=${apiKey}`)
    await fetch(`${mint.url}/other`, { method: 'POST', body: '{}' })
    expect(scripted.calls().map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(scripted.probes()).toEqual([])
  })
})

test('says in one sentence that its port is taken', async () => {
  await using mint = await double()
  const port = Number(new URL(mint.url).port)
  await expect(double(port)).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringMatching(
      /^backend\.fakeMint cannot listen on 127\.0\.0\.1:\d+: the port is already in use: /,
    ),
  })
})

test('a backend that floods its mint gets no answers any more, and fills no memory', async () => {
  await using mint = await double()
  const body = { userId: 'u-1', padding: 'p'.repeat(90_000) }
  const flood = mint.scripted(async (scripted) => {
    const kept: number[] = []
    while ((await ask(mint, body)).ok) kept.push(scripted.calls().length)
    return kept
  })
  await expect(flood).rejects.toThrow()
  await mint.scripted(async (scripted) => {
    expect((await ask(mint)).status).toBe(200)
    expect(scripted.calls()).toHaveLength(1)
  })
})

test('a changed certificate ends connections in mid-handshake, too', async () => {
  await using mint = await double(0, { tls: true })
  await mint.scripted(async (scripted) => {
    const socket = connect(Number(new URL(mint.url).port), '127.0.0.1')
    await expect.poll(() => scripted.connections()).toBe(1)
    scripted.showCertificate('expired')
    await once(socket, 'close')
  })
})
