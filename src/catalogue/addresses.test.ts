import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentation, version } from '../base/version.ts'
import { addressOfClause, addressOfRequirement } from '../reports/addresses.ts'
import { loadCatalogue } from './load-requirements.ts'

const root = new URL('../../', import.meta.url)
const folder = `${documentation.split('#')[0]}/blob/v${version}/`

/** Reads the page that an address leads to, from this checkout, and says whether it has the anchor. */
async function leadsTo(address: string | undefined): Promise<boolean> {
  const [page = '', anchor] = (address ?? '').slice(folder.length).split('#')
  expect(address).toBe(`${folder}${page}#${anchor}`)
  return (await readFile(new URL(page, root), 'utf8')).includes(`<a id="${anchor}"></a>`)
}

test('every requirement and every clause of one has an address that leads somewhere', async () => {
  for (const { id, clauses } of await loadCatalogue()) {
    expect(await leadsTo(addressOfRequirement(id)), id).toBe(true)
    for (const clause of clauses) expect(await leadsTo(addressOfClause(clause)), clause).toBe(true)
  }
})

test('nothing but a clause and an id has an address', () => {
  for (const text of ['', '4.2)](javascript:', '10', 'x', '4..2'])
    expect(addressOfClause(text)).toBe(undefined)
  for (const text of ['', 'MINT-1', 'mint-01', 'MINT-01"']) expect(addressOfRequirement(text)).toBe(undefined)
})
