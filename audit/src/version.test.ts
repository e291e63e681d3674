import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test.each(['..', '../..'])('the version equals the one of the package in %s', async (folder) => {
  const manifest = await readFile(new URL(`${folder}/package.json`, import.meta.url), 'utf8')
  expect(JSON.parse(manifest).version).toBe(version)
})
