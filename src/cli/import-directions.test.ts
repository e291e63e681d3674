import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// A house of one file per direction, under the real rules: Biome judges no snippet from stdin without rewriting it.
const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const red = [
  ['src/http/a.ts', "export { default } from '../../suites/mint/needs-a-key.ts'"],
  [
    'src/http/b.ts',
    "import { startMint } from '../../fixtures/mint/server.ts'\nexport const start = startMint",
  ],
  ['src/parts/c.ts', "export * from '../../contracts/mint.ts'"],
  ['src/parts/d.ts', "export const later = () => import('../../fixtures/stack.ts')"],
  ['suites/mint/e.ts', "export { startMint } from '../../fixtures/mint/server.ts'"],
  ['suites/mint/f.ts', "export * from '../../contracts/mint.ts'"],
  ['suites/flow/g.ts', "export { run } from '../../src/cli/run.ts'"],
  ['suites/flow/h.ts', "export { prove } from '../../src/proof/prove.ts'"],
  ['fixtures/mint/i.ts', "export { default } from '../../suites/mint/needs-a-key.ts'"],
  ['fixtures/mint/j.ts', "export * from '../../contracts/mint.ts'"],
  ['fixtures/k.ts', "export { run } from '../src/cli/run.ts'"],
  ['contracts/l.ts', "export { default } from '../suites/mint/needs-a-key.ts'"],
  ['contracts/m.ts', "export { run } from '../src/cli/run.ts'"],
] as const

const green = [
  ['src/http/n.ts', "export { systemClock } from '../clock/clock.ts'"],
  ['src/cli/o.ts', "export { startReference } from '../../fixtures/stack.ts'"],
  ['src/cli/p.ts', "export { default } from '../../suites/mint/needs-a-key.ts'"],
  ['src/proof/q.ts', "export { startReference } from '../../fixtures/stack.ts'"],
  ['suites/mint/r.ts', "export { defineCheck } from '../../src/check/check.ts'"],
  ['suites/mint/s.ts', "export { attack } from './attacks.ts'"],
  ['fixtures/mint/t.ts', "export type { Variant } from '../../src/check/check.ts'"],
  ['fixtures/u.ts', "export { startMint } from './mint/server.ts'"],
  ['contracts/v.ts', "export { startMint } from '../fixtures/mint/server.ts'"],
  ['contracts/w.ts', "export { systemClock } from '../src/clock/clock.ts'"],
] as const

async function refused(files: readonly (readonly [path: string, text: string])[]): Promise<string[]> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'twotoken-house-'))
  try {
    await copyFile(join(root, 'biome.json'), join(folder, 'biome.json'))
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), `${text}\n`)
    }
    const biome = join(root, 'node_modules/.bin/biome')
    const options = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', '.']
    const { stdout } = await run(biome, options, { cwd: folder }).catch((error: { stdout: string }) => error)
    return [...stdout.matchAll(/^::error title=lint\/style\/noRestrictedImports,file=([^,]+),/gm)].map(
      ([, file = '']) => relative(folder, file),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('an import against the directions of the house is an error of the linter', async () => {
  expect(new Set(await refused(red))).toEqual(new Set(red.map(([path]) => path)))
})

test('an import along the directions is none', async () => {
  expect(await refused([...green, ['src/x.ts', "export * from '../suites/y.ts'"]])).toEqual(['src/x.ts'])
})
