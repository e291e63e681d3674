import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentation, version } from './version.ts'

test('the version and the address of the documentation are those of the package', async () => {
  const packed: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(packed).toMatchObject({ version, homepage: documentation })
})
