import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentation, version } from '../base/version.ts'
import { addressOfClause, addressOfRequirement } from '../reports/addresses.ts'
import { sortByTurn } from '../requirement/run.ts'
import { loadCatalogue, loadProvenCatalogue } from './load-requirements.ts'

test('rejects a file beside the requirements that is none, and an id that two have', async () => {
  const suites = await mkdtemp(join(tmpdir(), 'twotoken-suites-'))
  try {
    await mkdir(join(suites, 'mint/lib'), { recursive: true })
    await writeFile(join(suites, 'mint/lib/helper.ts'), 'export const one = 1')
    expect(await loadCatalogue(undefined, suites)).toEqual([])
    await writeFile(join(suites, 'mint/helper.ts'), 'export const one = 1')
    await expect(loadCatalogue(undefined, suites)).rejects.toThrow(
      'helpers of a role belong in its folder lib',
    )
    await rm(join(suites, 'mint/helper.ts'))
    for (const name of ['one', 'other'])
      await writeFile(join(suites, `mint/${name}.ts`), "export default { id: 'MINT-99', role: 'mint' }")
    await expect(loadCatalogue(undefined, suites)).rejects.toThrow('two requirements have the id MINT-99')
  } finally {
    await rm(suites, { recursive: true, force: true })
  }
})

const catalogue = await loadProvenCatalogue()
const root = new URL('../../', import.meta.url)
const folder = `${documentation.split('#')[0]}/blob/v${version}/`

/** Reads the page that an address leads to, from this checkout, and says whether it has the anchor. */
async function leadsTo(address: string | undefined): Promise<boolean> {
  const [page = '', anchor] = (address ?? '').slice(folder.length).split('#')
  expect(address).toBe(`${folder}${page}#${anchor}`)
  return (await readFile(new URL(page, root), 'utf8')).includes(`<a id="${anchor}"></a>`)
}

test('every requirement and every clause of one has an address that leads somewhere', async () => {
  for (const { id, clauses } of catalogue) {
    expect(await leadsTo(addressOfRequirement(id)), id).toBe(true)
    for (const clause of clauses) expect(await leadsTo(addressOfClause(clause)), clause).toBe(true)
  }
})

test('nothing but a clause and an id has an address', () => {
  for (const text of ['', '4.2)](javascript:', '10', 'x', '4..2'])
    expect(addressOfClause(text)).toBe(undefined)
  for (const text of ['', 'MINT-1', 'mint-01', 'MINT-01"']) expect(addressOfRequirement(text)).toBe(undefined)
})

const citations = /\((\d[\d.]*(?:, \d[\d.]*)*)\)/g

test('rests every MUST, and nothing else, on a sentence of the specification, with clauses that the requirement names', () => {
  expect(catalogue.filter(({ level, basis }) => level !== 'MUST' && basis !== undefined)).toEqual([])
  const without = catalogue
    .filter(({ level }) => level === 'MUST')
    .filter(({ basis = '', clauses }) => {
      const cited = [...basis.matchAll(citations)].flatMap(([, list = '']) => list.split(', '))
      return cited.length === 0 || !cited.every((clause) => clauses.includes(clause))
    })
    .map(({ id }) => id)
  expect(without).toEqual([])
})

const lists = { fail: 'fails', warn: 'warns', untested: 'untested' } as const

test('the method of a requirement names what gives each verdict that a broken variant gets', () => {
  const unnamed = catalogue.flatMap(({ id, how, catches }) =>
    Object.values(catches).flatMap(({ as = 'fail' }) =>
      as === 'error' || (how[lists[as]] ?? []).length > 0 ? [] : `${id} ${as}`,
    ),
  )
  expect([...new Set(unnamed)]).toEqual([])
})

// One that ends the other key, or a session, is the record of those behind it; a ban by the mint would keep tokens from signaling.
test('requirements that end something, or may be banned, come last and in this order', () => {
  const order = sortByTurn(catalogue).map(({ id }) => id)
  expect(order.slice(-8)).toEqual([
    'FLOW-07',
    'SIG-35',
    'MINT-21',
    'BACK-21',
    'BACK-28',
    'SIG-32',
    'MINT-27',
    'SIG-30',
  ])
})

test('a requirement that scripts the double of the mint drives the backend', () => {
  const lacking = catalogue.filter(
    ({ role, needs, drives }) =>
      role !== 'backend' && needs.includes('mintDouble') && drives?.includes('backend') === false,
  )
  expect(lacking.map(({ id }) => id)).toEqual([])
})
