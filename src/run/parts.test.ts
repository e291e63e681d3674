import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { loadConfiguration, resolveConfiguration } from '../configuration/load.ts'
import { listLimits, observedLimits } from './assemble-results.ts'
import { addPartNotes, type PartLog } from './part-logs.ts'
import { keepDescribed } from './select-requirements.ts'
import { verifyContracts } from './verify-contracts.ts'
import { createDoubleCertificate } from './write-artefacts.ts'

const catalogue = await loadCatalogue()
const parts = {
  mint: { url: 'http://127.0.0.1:1', apiKey: 'key' },
  backend: { url: 'http://127.0.0.1:2', sessions: { alice: { token: 'a', userId: 'u-1' } } },
  signaling: { url: 'ws://127.0.0.1:3' },
  client: { command: 'client' },
  bundle: { paths: ['.'] },
}
const keep = async (written: object) =>
  keepDescribed(catalogue, await resolveConfiguration(written, { directory: '.', environment: {} }))
const rolesIn = (checks: readonly { readonly role: string }[]) => [...new Set(checks.map(({ role }) => role))]

test('keeps every requirement where the configuration has all parts', async () => {
  expect(await keep(parts)).toEqual({ checks: catalogue, note: null })
})

test('leaves out what the configuration does not describe, and names it', async () => {
  const { checks, note } = await keep({ bundle: parts.bundle })
  expect(rolesIn(checks)).toEqual(['bundle'])
  expect(note).toBe('not in the configuration, and not judged: mint, backend, signaling, client')
})

test('keeps a requirement on a flow where its parts are described', async () => {
  const { checks } = await keep({ backend: parts.backend })
  expect(rolesIn(checks)).toEqual(['backend', 'flow'])
  const ids = checks.map(({ id }) => id)
  expect(ids).toContain('FLOW-07')
  expect(ids).not.toContain('FLOW-01')
})

test('keeps requirements on a part that is declared absent, with the reason', async () => {
  const absent = [{ what: 'backend', reason: 'apps mint in another way' }]
  const { checks, note } = await keep({ mint: parts.mint, absent })
  expect(rolesIn(checks)).toEqual(['mint', 'backend', 'flow'])
  expect(note).not.toContain('backend')
})

test('rejects a configuration without a part', async () => {
  await expect(keep({ name: 'acme' })).rejects.toThrow('describes no part')
})

test('a limit that was met is printed by what it cost, and is among the observations', () => {
  const limits = { mint: { repeated: 41, waitedSeconds: 63 } }
  expect(listLimits(limits)).toEqual([
    'the mint limits its rate (requests repeated: 41, time spent waiting: 63 s)',
  ])
  expect(observedLimits(limits)).toEqual({ 'mint.rateLimit': limits.mint })
})

const exited: PartLog = { part: 'command', state: 'exited with code 1', log: 'command.log', text: '' }

test('a verdict that rests on a broken connection says that the command had ended', () => {
  const exchange = { id: 'x1', kind: 'http', to: 'backend', failure: 'ECONNREFUSED' } as never
  const check = (evidence: readonly string[]) =>
    ({ verdict: 'error', reason: 'control failed', findings: [{ evidence }] }) as never
  const [broken, other] = addPartNotes([check(['x1']), check([])], [exchange], [exited])
  const told = 'control failed; start.command exited with code 1; its output is in command.log'
  expect([broken?.reason, broken?.remarks?.join('; ')]).toEqual([told, told])
  expect(other?.reason).toBe('control failed')
})

test('the contracts of every provider stand beside the checks, joined to the requirements', async () => {
  await using reference = await startReference()
  const { checks, exchanges } = await verifyContracts(reference.configuration)
  expect(checks.map(({ verdict }) => verdict)).toEqual([
    ...Array(8).fill('pass'),
    'not-applicable',
    ...Array(3).fill('pass'),
  ])
  expect(checks.find(({ id }) => id === 'PACT-MINT-04')?.observations).toMatchObject({
    requirements: ['MINT-15'],
  })
  expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length)
})

test('a provider that is down is an error, and the other is still verified', async () => {
  await using reference = await startReference()
  await reference.mint[Symbol.asyncDispose]()
  const { checks } = await verifyContracts({ ...reference.configuration })
  expect(checks[0]).toMatchObject({ id: 'PACT-MINT', verdict: 'error' })
  expect(checks.find(({ id }) => id === 'PACT-BACK-03')?.verdict).toBe('pass')
})

const backend = {
  url: 'http://127.0.0.1:4100/calling/token',
  sessions: { alice: { token: 'a-session-of-alice', userId: 'u-alice' } },
  fakeMint: { listen: '127.0.0.1:9400', apiKey: 'ac_live_of_the_double_alone', tls: true },
}

async function writtenFor(start: object) {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.yaml')
  const out = join(folder.path, 'elsewhere')
  await mkdir(out)
  await writeFile(file, JSON.stringify({ name: 'acme', backend, ...start }))
  await createDoubleCertificate(await loadConfiguration(file, {}), out, { write: () => true })
  const paths = (await readdir(folder.path, { recursive: true })).filter((path) => path.endsWith('.pem'))
  return await Promise.all(
    paths.toSorted().map(async (path) => ({ path, text: await readFile(join(folder.path, path), 'utf8') })),
  )
}

test('the authority of the double is where a start command reads it, whatever folder the results have', async () => {
  const [beside, usual, ...others] = await writtenFor({ start: { command: 'npm start' } })
  expect([beside?.path, usual?.path, others]).toEqual([
    'elsewhere/mint-double-ca.pem',
    'twotoken-results/mint-double-ca.pem',
    [],
  ])
  expect(usual?.text).toBe(beside?.text)
})

test('no folder is made where the suite starts nothing', async () => {
  expect((await writtenFor({})).map(({ path }) => path)).toEqual(['elsewhere/mint-double-ca.pem'])
})
