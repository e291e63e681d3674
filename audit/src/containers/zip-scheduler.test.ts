import { expect, test } from 'vitest'
import { buildZip } from '../testing/build-zip.ts'
import { inMemory } from './source.ts'
import { readZip } from './zip-reader.ts'
import { createAhead, scheduleInflation } from './zip-scheduler.ts'

/** Bytes that compress a little, and differ by a number. */
function bytesOf(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at++) bytes[at] = (at * seed) ^ (at >> 5)
  return bytes
}

const kilobyte = 1024
const small = Array.from({ length: 400 }, (_, index) => ({
  name: `small/${index}`,
  bytes: bytesOf(9 * kilobyte, index),
}))
const large = [1, 2, 3].map((index) => ({ name: `large/${index}`, bytes: bytesOf(1500 * kilobyte, index) }))
const unusual = [
  { name: 'stored', bytes: bytesOf(5000, 7), stored: true },
  { name: 'encrypted', bytes: bytesOf(5000, 8), flags: 1 },
  { name: 'other method', bytes: bytesOf(5000, 9), method: 98 },
]

const room = 64 * kilobyte * kilobyte

function poolOf(files: Parameters<typeof buildZip>[0], ahead = createAhead()) {
  const source = inMemory(buildZip(files))
  const entries = readZip(source)?.entries ?? []
  return { pool: scheduleInflation(source, entries, room, ahead), ahead, entries }
}

async function drained({ pool }: ReturnType<typeof poolOf>) {
  const read: { name: string; holds: Buffer | null }[] = []
  for (let batch = await pool.next(); batch !== null; batch = await pool.next())
    for (const [entry, found] of batch.done)
      read.push({ name: entry.name.toString(), holds: found?.bytes ? Buffer.from(found.bytes) : null })
  return read
}

test('gives each entry once, with what it holds or for the reader to inflate', async () => {
  const files = [...small.slice(0, 200), ...unusual, ...large, ...small.slice(200)]
  const opened = poolOf(files)
  const read = await drained(opened)
  expect(read.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort())
  const byName = new Map(files.map(({ name, bytes }) => [name, bytes]))
  const aside = read.filter(({ holds }) => holds !== null)
  for (const { name, holds } of aside) expect(holds?.equals(byName.get(name) ?? Buffer.alloc(0))).toBe(true)
  expect(aside.map(({ name }) => name)).toEqual(expect.arrayContaining(['large/1', 'small/0']))
  const leftAlone = unusual.map(({ name }) => name)
  expect(aside.filter(({ name }) => leftAlone.includes(name))).toEqual([])
})

test('a damaged entry leaves those beside it to the reader, and no others', async () => {
  const files = small.map((file, index) => (index === 10 ? { ...file, crc: 1 } : file))
  const read = await drained(poolOf(files))
  expect(read).toHaveLength(files.length)
  expect(read.filter(({ holds }) => holds !== null).length).toBeGreaterThan(100)
  expect(read.find(({ name }) => name === 'small/10')).toMatchObject({ holds: null })
})

test('inflates nothing aside for a small archive', async () => {
  const opened = poolOf(small.slice(0, 10))
  expect(await drained(opened)).toHaveLength(10)
  expect(opened.ahead).toMatchObject({ bytes: 0, inflaters: 0 })
})

test('archives that are open at the same time share the memory, and give it back when they end early', async () => {
  const ahead = createAhead()
  const outer = poolOf([...large, ...small], ahead)
  await outer.pool.next()
  expect(ahead.bytes).toBeGreaterThan(0)
  const inner = poolOf(small, ahead)
  expect(await drained(inner)).toHaveLength(small.length)
  outer.pool[Symbol.dispose]()
  expect(await drained(poolOf([...large, ...small], ahead))).toHaveLength(large.length + small.length)
  // Entries still on their way give back their memory on arrival: later on a busy machine.
  await expect.poll(() => ahead.bytes, { timeout: 20_000 }).toBe(0)
  await expect.poll(() => ahead.idle, { timeout: 20_000 }).toHaveLength(ahead.inflaters)
})
