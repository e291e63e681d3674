import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommands } from '../../docs/generator/documented-commands.ts'
import { renderRequirementsPage } from '../../docs/generator/requirements-page.ts'
import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from '../variants/cases.ts'
import type { Cell } from '../variants/prove.ts'
import { renderCounts } from '../variants/table.ts'
import { beginRequirement } from './new-requirement.ts'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text)

/** Proves the requirement of a folder, with some of the conforming variants: the reader's own command takes all. */
async function prove(folder: string): Promise<string> {
  const cases = await loadCases(() => true, { suites: join(folder, 'suites'), slice: 0 })
  const cells: Cell[] = []
  for (const one of cases) cells.push(...(await one.prove()))
  return renderCounts(cells)
}

/** A slice has fewer conforming variants. */
const withoutCount = (counts: string) => counts.trim().replace(/of \d+ conforming/, 'of … conforming')

test('CONTRIBUTING leads from an empty file to a proof, as it says', async () => {
  const [began = '', before = '', after = ''] = blocksOf('text')
  const written = blocksOf('ts')
  const [begin] = findCommands(page)
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'twotoken-contributing-'))))
  const [empty = '', finished = ''] = folders
  try {
    for (const folder of folders) await mkdir(join(folder, 'suites/mint'), { recursive: true })
    expect(await beginRequirement(begin?.slice(4) ?? [], empty)).toBe(began)
    const files = [...began.matchAll(/^wrote (.+)$/gm)].map(([, file = '']) => file)
    expect(files.length).toBe(written.length)
    const place = async (folder: string, file: string, text = '') =>
      writeFile(
        join(folder, file),
        text.replaceAll("'../../", `'${root}/`).replaceAll("'./lib/", `'${root}/suites/mint/lib/`),
      )
    for (const file of files) await place(empty, file, await readFile(join(empty, file), 'utf8'))
    // The page shows the variants before the probe.
    for (const [index, file] of files.toReversed().entries()) await place(finished, file, written[index])

    expect(withoutCount(await prove(empty))).toBe(withoutCount(before))
    expect(withoutCount(await prove(finished))).toBe(withoutCount(after))
    await expect(beginRequirement(['MINT-98', 'rejects it all'], finished)).rejects.toThrow('MINT-99 is free')
    await expect(beginRequirement(['MINT-99', 'Mint.'], finished)).rejects.toThrow('does not complete')
    const catalogue = await loadProvenCatalogue(undefined, join(finished, 'suites'))
    expect(renderRequirementsPage(catalogue)).toContain('rejects keys without their prefix')
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
})
