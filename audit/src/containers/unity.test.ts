import { expect, test } from 'vitest'
import { auditInMemory, key, placesOf } from '../testing/audit-files.ts'
import { createRandom, faultOf, mutate } from '../testing/fuzz.ts'

/** A block of lz4 that repeats nothing. */
function lz4Literals(bytes: Buffer): Buffer {
  const rest = bytes.length - 15
  const lengths = rest < 0 ? [] : [...Array.from({ length: Math.floor(rest / 255) }, () => 255), rest % 255]
  return Buffer.concat([Buffer.from([Math.min(15, bytes.length) << 4, ...lengths]), bytes])
}

interface UnityBlock {
  readonly packed: Buffer
  readonly size: number
  /** 0 as it is, 1 LZMA, 2 and 3 lz4. */
  readonly compression: number
}

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])

/** A bundle in the form of Unity 2019 (6) or 2020 (7). Sizes of files are given as `[start, size, name]`. */
function buildUnity(
  blocks: readonly UnityBlock[],
  files: readonly (readonly [number, number, string])[],
  { format = 6, isListAtEnd = false } = {},
): Buffer {
  const list = Buffer.concat([
    Buffer.alloc(16),
    u32(blocks.length),
    ...blocks.map(({ packed, size, compression }) =>
      Buffer.concat([u32(size, packed.length), u16(compression)]),
    ),
    u32(files.length),
    ...files.map(([start, size, name]) =>
      Buffer.concat([u32(0, start, 0, size, 4), Buffer.from(`${name}\0`)]),
    ),
  ])
  const packedList = lz4Literals(list)
  const flags = 2 | 0x40 | (isListAtEnd ? 0x80 : 0)
  const names = Buffer.from(
    `UnityFS\0${'\0\0\0'}${String.fromCharCode(format)}5.x.x\x002020.3.1f1\0`,
    'latin1',
  )
  const head = Buffer.concat([names, u32(0, 0, packedList.length, list.length, flags)])
  const padded = Buffer.concat([head, Buffer.alloc(format >= 7 ? (16 - (head.length % 16)) % 16 : 0)])
  const data = blocks.map(({ packed }) => packed)
  return Buffer.concat(isListAtEnd ? [padded, ...data, packedList] : [padded, packedList, ...data])
}

const text = Buffer.from(`k="${key}"\n${'filler '.repeat(40)}`)

async function audit(name: string, bytes: Buffer) {
  const { findings, gaps } = await auditInMemory({ location: name, name, bytes })
  return {
    places: placesOf(findings.filter(({ length, level }) => length === key.length && level === 'error')),
    gaps: gaps.map(({ rule, location }) => `${rule} ${location}`),
  }
}

const asIs: UnityBlock = { packed: text, size: text.length, compression: 0 }
const asLz4: UnityBlock = { packed: lz4Literals(text), size: text.length, compression: 3 }
/** A file of Unity's older engines, as its head has it. */
const oldUnity = (kind: 'UnityRaw' | 'UnityWeb') =>
  Buffer.from(`${kind}\0\0\0\0\x033.x.x\x004.7.2f1\0`, 'latin1')

/** Unity's mark in a block that decoders skip, then one block that is as it is, and the end. */
function unityBrotli(data: Buffer): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntLE(((data.length - 1) << 3) | (1 << 19), 0, 3)
  const mark = Buffer.from('UnityWeb Compressed Content (brotli)')
  return Buffer.concat([Buffer.from('6b8d00', 'hex'), mark, head, data, Buffer.from([3])])
}

const files: readonly (readonly [string, string, Buffer, string])[] = [
  ['a Unity bundle in lz4', 'a.bundle', buildUnity([asLz4], [[0, text.length, 'CAB-1']]), 'CAB-1'],
  [
    'a Unity bundle of several blocks, its list at the end',
    'a.unity3d',
    buildUnity([{ ...asIs, packed: Buffer.alloc(40), size: 40 }, asLz4], [[40, text.length, 'CAB-3']], {
      format: 7,
      isListAtEnd: true,
    }),
    'CAB-3',
  ],
  ['a file of Unity’s web player', 'a.data.unityweb', unityBrotli(text), 'a.data.unityweb.expanded'],
]

test.each(files)('finds a key in %s', async (_, name, bytes, inner) => {
  expect(await audit(name, bytes)).toEqual({ places: [`${name}!${inner}`], gaps: [] })
})

test.each<[string, string, Buffer, string[]]>([
  ['LZMA in a Unity bundle', 'a.bundle', buildUnity([{ ...asIs, compression: 1 }], []), ['AUD-092 a.bundle']],
  ['a bundle of Unity’s web player', 'a.unity3d', oldUnity('UnityWeb'), ['AUD-092 a.unity3d']],
  ['an older Unity bundle', 'a.unity3d', oldUnity('UnityRaw'), ['AUD-092 a.unity3d']],
  [
    'a Unity bundle that is cut off',
    'a.bundle',
    buildUnity([asIs], []).subarray(0, -20),
    ['AUD-091 a.bundle'],
  ],
])('%s is a gap', async (_, name, bytes, gaps) => {
  expect((await audit(name, bytes)).gaps).toEqual(gaps)
})

test.each(files)('%s, damaged, is neither passed over nor does it stop the audit', async (_, name, bytes) => {
  const random = createRandom(18)
  const faults: string[] = []
  for (let index = 0; index < 25; index++) {
    const fault = await faultOf(name, mutate(bytes, random), key)
    if (fault !== null) faults.push(`mutant ${index}: ${fault}`)
  }
  expect(faults).toEqual([])
})
