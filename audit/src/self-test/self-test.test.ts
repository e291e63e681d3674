import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../testing/audit-files.ts'
import { countsOf } from './cells.ts'
import { selfTest } from './self-test.ts'

const program = join(import.meta.dirname, 'testing/hostile-planting.worker.ts')
const settings = { limits: { fileSeconds: 1 } }

test('a file that is never read to its end, or that ends the thread, is given up, and the others are tested', async () => {
  await using made = await folderOf({
    'a.json': '{}',
    'loop.bin': 'never',
    'throw.bin': 'fails',
    'z.txt': 'text',
  })
  const { cells } = await selfTest(['.'], made.folder, settings, program)
  const unplanted = cells.filter(({ status }) => status === 'unplanted')
  expect(unplanted.map(({ location, reason }) => `${location}: ${reason}`)).toEqual([
    './loop.bin: reading it takes longer than 1 s',
    './throw.bin: not read whole: its reader failed (TypeError)',
  ])
  const { planted, found } = countsOf(cells)
  expect(found).toBe(planted)
  expect(new Set(cells.map(({ format }) => format))).toEqual(new Set(['json', 'text', 'file']))
})

test('many files that are given up end the test', async () => {
  const names = Array.from({ length: 20 }, (_, index) => [`${index}/throw.bin`, 'fails'] as const)
  await using made = await folderOf(Object.fromEntries(names))
  const { cells } = await selfTest(['.'], made.folder, settings, program)
  expect(countsOf(cells)).toMatchObject({ planted: 0, unplanted: 20 })
  expect(cells.filter(({ reason }) => reason === 'not read: 8 other files were given up')).toHaveLength(12)
})
