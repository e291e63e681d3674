import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pieces } from './pieces.ts'

const sources = join(import.meta.dirname, '../../src')

test.each(pieces)('$name has its files, and can be switched off', async ({ files, off }) => {
  expect(files.filter((file) => !existsSync(join(sources, file)))).toEqual([])
  const text = 'file' in off ? await readFile(join(sources, off.file), 'utf8') : ''
  if ('file' in off) expect(text.split(off.from)).toHaveLength(2)
  else expect(Object.values(off)).toHaveLength(1)
})
