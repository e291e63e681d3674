import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test.each(['..', '../..'])('the version equals the one of the package in %s', async (folder) => {
  const manifest = await readFile(join(import.meta.dirname, folder, 'package.json'), 'utf8')
  expect(JSON.parse(manifest).version).toBe(version)
})
