import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kernelModule } from './testing/build-kernel.ts'

test('the committed bytes are those of the source', async () => {
  expect(readFileSync(join(import.meta.dirname, 'bytes.ts'), 'utf8')).toBe(await kernelModule())
})
