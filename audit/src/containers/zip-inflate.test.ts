import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { inMemory } from './source.ts'
import type { ZipEntry } from './zip-headers.ts'
import { createMemberInflater } from './zip-inflate.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

interface Packed {
  readonly data: Buffer
  readonly size: number
  readonly crc: number
}

function packed(bytes: Buffer): Packed {
  return { data: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) }
}

/** An archive of nothing but compressed bytes, and its entries. */
function archiveOf(all: readonly Packed[]) {
  let at = 0
  const entries = all.map(({ data, size, crc }): ZipEntry => {
    const dataStart = at
    at += data.length
    return {
      name: Buffer.from('a'),
      method: 8,
      isEncrypted: false,
      crc,
      size,
      headerStart: 0,
      dataStart,
      dataEnd: at,
    }
  })
  return { archive: inMemory(Buffer.concat(all.map(({ data }) => data))), entries }
}

const contents = Array.from({ length: 50 }, (_, index) =>
  Buffer.from(`${index} some text, `.repeat(index * 40)),
)

async function inflated(all: readonly Packed[], inflater = createMemberInflater()) {
  const { archive, entries } = archiveOf(all)
  const together = await inflater.inflate(archive, entries)
  return together?.parts.map((part) => part.toString()) ?? null
}

test('gives what every entry holds, also an empty one, call after call', async () => {
  const inflater = createMemberInflater()
  for (const some of [contents, contents.toReversed(), contents.slice(7, 9), contents])
    expect(await inflated(some.map(packed), inflater)).toEqual(some.map(String))
})

test('gives all of them in one piece, so far apart that no search takes two for one', async () => {
  const { archive, entries } = archiveOf(contents.slice(0, 5).map(packed))
  const together = await createMemberInflater().inflate(archive, entries)
  expect(together?.whole.toString()).toBe(
    contents
      .slice(0, 5)
      .map((bytes) => `${bytes}${'\0'.repeat(32)}`)
      .join(''),
  )
})

const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = contents.slice(20)

test.each<[string, (entry: Packed) => Packed]>([
  ['another checksum', (entry) => ({ ...entry, crc: (entry.crc ^ 1) >>> 0 })],
  ['a larger size', (entry) => ({ ...entry, size: entry.size + 1 })],
  ['a smaller size', (entry) => ({ ...entry, size: entry.size - 1 })],
  ['bytes that are cut off', (entry) => ({ ...entry, data: entry.data.subarray(0, -3) })],
  [
    'bytes behind their end',
    (entry) => ({ ...entry, data: Buffer.concat([entry.data, Buffer.from('more')]) }),
  ],
  ['no compressed bytes', (entry) => ({ ...entry, data: Buffer.alloc(0) })],
  ['damaged bytes', (entry) => ({ ...entry, data: Buffer.from(entry.data).fill(0xff, 4, 9) })],
])('gives nothing where one entry has %s, and goes on after it', async (_, damage) => {
  const inflater = createMemberInflater()
  const all = [first, second, third].map(packed)
  for (const index of all.keys()) {
    const damaged = all.map((entry, at) => (at === index ? damage(entry) : entry))
    expect(await inflated(damaged, inflater)).toBeNull()
    expect(await inflated(all, inflater)).toEqual([first, second, third].map(String))
  }
})

/**
 * Two entries, the first of which takes the second for its own: what the second one really has in it would stay unseen.
 * @param header what its author believes to be in front of each entry
 */
function swallowing(header: Buffer): Packed[] {
  const data = Buffer.concat([stored(Buffer.from('what is hidden')), Buffer.from([3, 0])])
  const behindFirst = Buffer.concat([Buffer.alloc(8), gzipSync(zeros)])
  const taken = Buffer.concat([behindFirst, header, data.subarray(0, -2)])
  return [
    // The zeros that are expected behind it, and the beginning of what it takes.
    {
      data: Buffer.concat([gzipSync(zeros).subarray(10), plainHeader, stored(taken).subarray(0, 5)]),
      size: 0,
      crc: 0,
    },
    { data, size: taken.length, crc: crc32(taken) },
  ]
}

const zeros = Buffer.alloc(32)
const plainHeader = gzipSync('').subarray(0, 10)

/** A block that is stored, and not the last one. */
function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(~bytes.length & 0xffff, 3)
  return Buffer.concat([head, bytes])
}

const foreseen = Buffer.concat([Buffer.from('1f8b08040000000000ff2000', 'hex'), Buffer.alloc(32)])

test('an entry cannot take the next one for its own', async () => {
  expect(await inflated(swallowing(foreseen))).toBeNull()
})

test('it could, if its author knew what is between them', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.resetModules()
  const { createMemberInflater: createForeseen } = await import('./zip-inflate.ts')
  expect(await inflated(swallowing(foreseen), createForeseen())).toHaveLength(2)
})
