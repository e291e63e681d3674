import { expect, test } from 'vitest'
import { walkFiles } from '../engine/walk-files.ts'
import { folderOf } from '../testing/audit-files.ts'
import { costliestFirst } from './costliest-first.ts'

test('archives come first, the largest before the others; the rest keeps its order', async () => {
  await using made = await folderOf({
    'a.js': 'a',
    'b.apk': Buffer.alloc(10),
    'c/d.JAR': Buffer.alloc(30),
    'e.tar.gz': Buffer.alloc(20),
    'z.zip.txt': Buffer.alloc(40),
  })
  const files = [...walkFiles(made.folder, '.', { gap: () => {}, name: () => {} })]
  expect(costliestFirst(files).map(({ name }) => name)).toEqual([
    'd.JAR',
    'e.tar.gz',
    'b.apk',
    'a.js',
    'z.zip.txt',
  ])
})

test('a file that is gone meanwhile is kept, for the audit to report', () => {
  const file = { path: '/nowhere/a.zip', name: 'a.zip', location: 'a.zip' }
  expect(costliestFirst([file])).toEqual([file])
})
