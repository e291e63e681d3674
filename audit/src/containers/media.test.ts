import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { key } from '../testing/audit-files.ts'
import { buildUnity, lz4Literals, type UnityBlock } from '../testing/build-unity.ts'
import { createRandom, faultOf, mutate } from '../testing/fuzz.ts'

const text = Buffer.from(`k="${key}"\n${'filler '.repeat(40)}`)

async function audit(name: string, bytes: Buffer) {
  const { findings, gaps } = await auditInMemory({ location: name, name, bytes })
  return {
    places: findings
      .filter(({ length, level }) => length === key.length && level === 'error')
      .map(({ location }) => location),
    gaps: gaps.map(({ rule, location }) => `${rule} ${location}`),
  }
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
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

const chunk = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])))
  return Buffer.concat([head, data, sum])
}
const png = (...chunks: Buffer[]) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.alloc(13, 1)),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.alloc(30))),
    chunk('IEND', Buffer.alloc(0)),
  ])

const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
const stream = (filter: string, data: Buffer | string, more = '') =>
  Buffer.concat([
    Buffer.from(`<< /Length ${data.length} /Filter ${filter} ${more}>>\nstream\r\n`),
    Buffer.from(data),
    Buffer.from('\nendstream'),
  ])
function rendition(name: string, data: Buffer, layout = 1000): Buffer {
  const head = Buffer.alloc(184)
  head.write('ISTC')
  head.write('ATAD', 24)
  head.writeUInt16LE(layout, 36)
  head.write(name, 40)
  const raw = Buffer.alloc(12)
  raw.write('DWAR')
  raw.writeUInt32LE(data.length, 8)
  return Buffer.concat([head, raw, data])
}
function catalogue(...blocks: Buffer[]): Buffer {
  const head = Buffer.alloc(512)
  head.write('BOMStore')
  const end = blocks.reduce((sum, { length }) => sum + length, 512)
  head.writeUInt32BE(end, 16)
  let at = 512
  const index = blocks.flatMap(({ length }) => {
    at += length
    return [at - length, length]
  })
  return Buffer.concat([head, ...blocks, u32(blocks.length, ...index)])
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
  [
    'a compressed text of a PNG',
    'a.png',
    png(chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text)]))),
    'zTXt at 41',
  ],
  [
    'an international text of a PNG',
    'a.png',
    png(chunk('iTXt', Buffer.concat([Buffer.from('Title\0\x01\0en\0Titel\0'), deflateSync(text)]))),
    'iTXt at 41',
  ],
  ['a stream of a PDF', 'a.pdf', pdf('<<>>', stream('/FlateDecode', deflateSync(text))), 'stream at 83'],
  [
    'data of an asset catalogue',
    'Assets.car',
    catalogue(rendition('key.json', deflateSync(text))),
    'key.json',
  ],
]

test.each(files)('finds a key in %s', async (_, name, bytes, inner) => {
  expect(await audit(name, bytes)).toEqual({ places: [`${name}!${inner}`], gaps: [] })
})

test.each<[string, string, Buffer, string[]]>([
  [
    'LZFSE in an asset catalogue',
    'Assets.car',
    catalogue(rendition('key.json', Buffer.from('bvx2....'))),
    ['AUD-092 Assets.car!key.json'],
  ],
  ['an encrypted stream of a PDF', 'a.pdf', pdf(stream('/FlateDecode', 'secret')), ['AUD-092 a.pdf']],
  ['another filter of a PDF', 'a.pdf', pdf(stream('[/ASCII85Decode /Fl]', 'Gap~>')), ['AUD-092 a.pdf']],
  [
    'a damaged stream of a PDF',
    'a.pdf',
    pdf(stream('/Fl', deflateSync(text).fill(9, 20, 40))),
    ['AUD-091 a.pdf!stream at 54'],
  ],
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

test('reports no gap for the pictures of an asset catalogue, of a PNG and of a PDF', async () => {
  expect((await audit('a.pdf', pdf(stream('/DCTDecode', 'pixels')))).gaps).toEqual([])
  const picture = rendition('a.png', Buffer.from('bvx2....'), 12)
  picture.write('BGRA', 24)
  expect((await audit('Assets.car', catalogue(picture))).gaps).toEqual([])
  expect((await audit('a.png', png())).gaps).toEqual([])
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

test.each([
  [
    'a PNG with a text behind a chunk of a wrong length',
    'a.png',
    (() => {
      const bytes = png(chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text)])))
      bytes.writeUInt32BE(0x7fff_ffff, 8)
      return bytes
    })(),
  ],
  [
    'a PDF with a stream that does not begin',
    'a.pdf',
    Buffer.from(
      pdf(stream('/FlateDecode', deflateSync(text)))
        .toString('latin1')
        .replace('>>\nstream', '> \nstream'),
      'latin1',
    ),
  ],
  [
    'a PDF with a stream that does not end',
    'a.pdf',
    Buffer.from(
      pdf(stream('/FlateDecode', deflateSync(text)))
        .toString('latin1')
        .replace('endstream', 'endstrea_'),
      'latin1',
    ),
  ],
])('reports %s', async (_, name, bytes) => {
  expect(await audit(name, bytes)).toEqual({ places: [], gaps: [`AUD-091 ${name}`] })
})

test('a PNG that is cut off has no gap where it has no text', async () => {
  expect((await audit('a.png', png().subarray(0, 50))).gaps).toEqual([])
})

test('reads a rendition that the index of an asset catalogue does not have, or has too short', async () => {
  const whole = catalogue(rendition('key.json', deflateSync(text)))
  const without = Buffer.from(whole)
  without.writeUInt32BE(0, without.length - 12)
  expect(await audit('Assets.car', without)).toEqual({ places: ['Assets.car!key.json'], gaps: [] })
  const short = Buffer.from(whole)
  short.writeUInt32BE(184 + 12 + 20, short.length - 4)
  expect((await audit('Assets.car', short)).gaps).toEqual(['AUD-091 Assets.car!key.json'])
})
