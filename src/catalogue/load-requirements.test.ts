import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalogue } from './load-requirements.ts'

test('rejects a file beside the requirements that is none', async () => {
  const suites = await mkdtemp(join(tmpdir(), 'twotoken-suites-'))
  try {
    await mkdir(join(suites, 'mint/lib'), { recursive: true })
    await writeFile(join(suites, 'mint/lib/helper.ts'), 'export const one = 1')
    expect(await loadCatalogue(undefined, suites)).toEqual([])
    await writeFile(join(suites, 'mint/helper.ts'), 'export const one = 1')
    await expect(loadCatalogue(undefined, suites)).rejects.toThrow(
      'helpers of a role belong in its folder lib',
    )
  } finally {
    await rm(suites, { recursive: true, force: true })
  }
})
