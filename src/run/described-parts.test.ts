import { expect, test } from 'vitest'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { keepDescribed } from './described-parts.ts'

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
