import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileWhole } from './write-file.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'twotoken-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

test('makes the folder, replaces what was there and leaves nothing beside it', async () => {
  await using place = await folder()
  const file = join(place.path, 'a', 'b', 'results.json')
  await writeFileWhole(file, 'first')
  await writeFileWhole(file, 'second')
  expect(await readFile(file, 'utf8')).toBe('second')
  expect(await readdir(join(place.path, 'a', 'b'))).toEqual(['results.json'])
})

test('a folder in the place of the file is one sentence, and nothing is left behind', async () => {
  await using place = await folder()
  const file = join(place.path, 'results.json')
  await mkdir(file)
  await expect(writeFileWhole(file, 'text')).rejects.toMatchObject({
    code: 'unwritable',
    message: `cannot write ${file}: it is a folder; choose a writable place with free space`,
  })
  expect(await readdir(place.path)).toEqual(['results.json'])
})

test('a file in the place of the folder is unwritable', async () => {
  await using place = await folder()
  await writeFile(join(place.path, 'taken'), '')
  await expect(writeFileWhole(join(place.path, 'taken', 'results.json'), 'text')).rejects.toMatchObject({
    code: 'unwritable',
  })
})

test('a full disk is unwritable', async () => {
  await expect(writeFileWhole('/dev/full/results.json', 'text')).rejects.toMatchObject({ code: 'unwritable' })
})
