import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTempDir } from './temp-dir.ts'

/** No process has it: ids end far below. */
const unusedPid = 2 ** 30

test('a folder is put aside and removed, and what a killed run has left a day ago', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'twotoken-aside-'))
  const lastWeek = new Date(Date.now() - 7 * 86_400_000)
  const others = [`tt-${unusedPid}-killed`, `tt-${process.pid}-longer`, 'tt-own', `tt-${unusedPid}-recent`]
  for (const name of others) {
    await mkdir(join(temporary, name))
    await writeFile(join(temporary, name, 'trace.zip'), 'what a browser saw')
    if (!name.endsWith('recent')) await utimes(join(temporary, name), lastWeek, lastWeek)
  }
  const kept = others.slice(1)
  const tempDir = await createTempDir(temporary)
  const own = basename(tempDir.variables.TMPDIR)
  expect((await readdir(temporary)).toSorted()).toEqual([...kept, own].toSorted())
  await writeFile(join(tempDir.variables.TMPDIR, 'trace.zip'), 'what a browser saw')
  expect(await tempDir.remove()).toBeNull()
  expect((await readdir(temporary)).toSorted()).toEqual(kept.toSorted())
  await rm(temporary, { recursive: true })
})
