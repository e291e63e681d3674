import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReader, type ReadAhead } from '../../audit/src/engine/audit-on-disk.ts'
import { readAhead } from './read-ahead.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twotoken-ahead-'))
})
afterAll(() => rm(folder, { recursive: true }))

const size = 3_000_000
const bytesOf = (text: string) => Buffer.alloc(size, text)

async function fileOf(text: string): Promise<string> {
  const path = join(folder, text)
  await writeFile(path, bytesOf(text))
  return path
}

/** What a reader that was told about a file gives for one that is open, twice. */
async function twice(ahead: ReadAhead | null, path: string): Promise<string[]> {
  const reader = createReader(ahead)
  const file = openSync(path, 'r')
  try {
    const first = String((await reader.read(file, size)).subarray(0, 5))
    return [first, String((await reader.read(file, size)).subarray(0, 5))]
  } finally {
    closeSync(file)
  }
}

test('a file is read before anyone asks for it', async () => {
  const path = await fileOf('given')
  const ahead = readAhead(path)
  expect((await ahead?.bytes)?.equals(bytesOf('given'))).toBe(true)
  expect(await twice(ahead, path)).toEqual(['given', 'given'])
})

test('of another file, or one that was put in its place since, nothing is taken from what was read', async () => {
  const path = await fileOf('first')
  const ahead = readAhead(path)
  await ahead?.bytes
  expect(await twice(ahead, await fileOf('other'))).toEqual(['other', 'other'])
  await rename(await fileOf('newer'), path)
  expect(await twice(ahead, path)).toEqual(['newer', 'newer'])
})

test('what could not be read ahead is read when it is asked for', async () => {
  const path = await fileOf('again')
  const ahead = readAhead(path)
  expect(await twice(ahead && { ...ahead, bytes: Promise.resolve(null) }, path)).toEqual(['again', 'again'])
})

test('nothing else is read ahead: no folder, no pipe, nothing small, nothing that is not there', async () => {
  const small = join(folder, 'small')
  const pipe = join(folder, 'pipe')
  await writeFile(small, 'few bytes')
  execFileSync('mkfifo', [pipe])
  for (const path of [folder, pipe, small, join(folder, 'nowhere'), ''])
    expect([path, readAhead(path)]).toEqual([path, null])
})
