import {
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { buildAsar } from '../build-asar.ts'
import { buildWideZip } from '../build-wide-zip.ts'
import { buildZip } from '../build-zip.ts'
import {
  type CostlyFile,
  type CostlyFiles,
  filled,
  key,
  times,
  u16,
  u16be,
  u32,
  u32be,
} from './costly-file.ts'

const file = (name: string, bytes: CostlyFile['bytes']): CostlyFile => ({ file: name, bytes })
const text = (value: string) => Buffer.from(value, 'latin1')
const zeros = (count: number) => Buffer.alloc(Math.max(0, count))

const block = 512
const padded = (bytes: Buffer) => Buffer.concat([bytes, zeros(block - (bytes.length % block || block))])

/** A header of a tar archive with a right checksum. */
function tarHeader(type: string, size: Buffer | number): Buffer {
  const header = zeros(block)
  header.write('a', 'latin1')
  if (typeof size === 'number') header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else size.copy(header, 124)
  header.write(`        ${type}`, 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** A record of an extended header, whose length counts its own digits. */
function paxRecord(field: string, value: string): Buffer {
  const rest = ` ${field}=${value}\n`
  let length = rest.length
  while (`${length}${rest}`.length > length) length += 1
  return text(`${length}${rest}`)
}
const extended = (record: Buffer) => Buffer.concat([tarHeader('x', record.length), padded(record)])
const keyFile = Buffer.concat([tarHeader('0', key.length), padded(text(key))])

const tar: CostlyFiles = {
  'a size below zero': file('a.tar', (size) =>
    Buffer.concat([keyFile, extended(paxRecord('size', '-1536')), tarHeader('0', 0), zeros(size)]),
  ),
  'a size that is a fraction': file('a.tar', (size) =>
    Buffer.concat([keyFile, extended(paxRecord('size', '-1e3')), tarHeader('0', 0), zeros(size)]),
  ),
  'a size of 96 bits': file('a.tar', (size) =>
    Buffer.concat([keyFile, tarHeader('0', filled(12, '\xff')), zeros(size)]),
  ),
  'empty files': file('a.tar', (size) => Buffer.concat([keyFile, filled(size, tarHeader('0', 0))])),
  'short files': file('a.tar', (size) => Buffer.concat([keyFile, filled(size, keyFile)])),
  'long names': file('a.tar', (size) =>
    filled(size, Buffer.concat([tarHeader('L', 4096), filled(4096, 'a'), keyFile])),
  ),
  'records without an end': file('a.tar', (size) =>
    Buffer.concat([filled(size, extended(filled(4096, '\n1 '))), keyFile]),
  ),
}

/** Builds data as `Assets.car` has it: a header, then the compressed data. */
function renditionOf(data: Buffer): Buffer {
  const rendition = zeros(184 + 12)
  rendition.write('ISTC', 'latin1')
  rendition.writeUInt16LE(1000, 36)
  rendition.write('DWAR', 184, 'latin1')
  rendition.writeUInt32LE(data.length, 192)
  return Buffer.concat([rendition, data])
}
/** Every row of the index has the same block. */
function catalogueOf(size: number, blockBytes: Buffer): Buffer {
  // More than so many are refused at once.
  const rows = Math.min(times(size - blockBytes.length, 8), 1_000_000)
  const head = Buffer.concat([text('BOMStore'), u32be(1, 0, 32 + blockBytes.length, 0), zeros(8)])
  return Buffer.concat([head, blockBytes, u32be(rows), filled(rows * 8, u32be(32, blockBytes.length))])
}
/** A pack that says how many objects it has, and the objects, each of the same stream. */
function packOf(count: number, stream: Buffer, times: number): Buffer {
  const object = Buffer.concat([Buffer.from([0x30]), stream])
  return Buffer.concat([text('PACK'), u32be(2, count), ...Array.from({ length: times }, () => object)])
}

const nothing = deflateSync(zeros(0))
const gitPack: CostlyFiles = {
  'objects of nothing': file('a.pack', (size) =>
    packOf(0xffff_ffff, nothing, times(size, nothing.length + 1)),
  ),
  'objects of one byte many times': file('a.pack', (size) => {
    const stream = deflateSync(filled(size, 'a'))
    return packOf(0xffff_ffff, stream, times(size, stream.length + 1))
  }),
}

const databaseOf = (data: Buffer) => Buffer.concat([text('SQLite format 3\0'), data])
const packedStreams: CostlyFiles = {
  'heads of nothing': file('a.db', (size) => databaseOf(filled(size, 'x\x9c'))),
  'streams of one byte many times': file('a.db', (size) => {
    const stream = deflateSync(filled(size, 'a'))
    return databaseOf(filled(size, stream.toString('latin1')))
  }),
  'streams that break off late': file('a.db', (size) => {
    const stream = deflateSync(filled(size, 'a')).subarray(0, -64)
    return databaseOf(filled(size, stream.toString('latin1')))
  }),
}

const partOfMail = (encoding: string, body: string) =>
  `\n--a\nContent-Transfer-Encoding: ${encoding}\n\n${body}`
const mail: CostlyFiles = {
  'parts of nothing': file('a.eml', (size) => filled(size, partOfMail('base64', ''))),
  'one zip many times': file('a.eml', (size) =>
    filled(size, partOfMail('base64', deflateSync(filled(size, 'a')).toString('base64'))),
  ),
  'escapes in one part': file('a.eml', (size) =>
    Buffer.concat([text(partOfMail('quoted-printable', '')), filled(size, '=5F=\n=')]),
  ),
  'headers without an end': file('a.eml', (size) => filled(size, '\nContent-Transfer-Encoding: base64')),
}

const withWrongSum = (data: Buffer) =>
  Buffer.concat([data.subarray(0, -1), Buffer.from([(data.at(-1) ?? 0) ^ 1])])

const assetCatalogue: CostlyFiles = {
  'one rendition many times, with a wrong checksum': file('Assets.car', (size) =>
    catalogueOf(size, renditionOf(withWrongSum(deflateSync(filled(size * 4, `${key} `))))),
  ),
  'one rendition many times, which breaks off': file('Assets.car', (size) => {
    const data = deflateSync(filled(size * 256, 'a'))
    return catalogueOf(size, renditionOf(Buffer.concat([data.subarray(0, -64), filled(64, '\xff')])))
  }),
  'renditions that are none': file('Assets.car', (size) =>
    catalogueOf(size, renditionOf(filled(64, 'x\x9c\xff'))),
  ),
}

/** A header that says where files are, and their bytes. */
const asarOf = (files: Readonly<Record<string, object>>, bytes: Buffer) => buildAsar({ files }, bytes)
const named = (size: number, one: object) =>
  Object.fromEntries(Array.from({ length: times(size, 40) }, (_, at) => [`f${at}`, one]))

const asar: CostlyFiles = {
  'one file many times': file('a.asar', (size) =>
    asarOf(named(size >> 1, { offset: '0', size: size >> 1 }), filled(size >> 1, `${key} `)),
  ),
  'empty files': file('a.asar', (size) => asarOf(named(size, { offset: '0', size: 0 }), text(key))),
  'files that are none': file('a.asar', (size) =>
    asarOf(named(size, { offset: '-1', size: 1e15 }), text(key)),
  ),
  'folders in folders': file('a.asar', (size) => {
    const open = '{"files":{"a":'
    const depth = times(size, open.length + 2)
    return Buffer.concat([
      u32(4, depth * (open.length + 2) + 8, 0, depth * (open.length + 2)),
      text(open.repeat(depth) + '}}'.repeat(depth)),
      text(key),
    ])
  }),
}

const assemblyHead = (size: number) => Buffer.concat([text('XALZ'), u32(0, size)])

const assemblies: CostlyFiles = {
  'marks without data': file('assemblies.blob', (size) =>
    Buffer.concat([text('XABA'), filled(size, assemblyHead(64 * 1024)), text(key)]),
  ),
  'large assemblies': file('assemblies.blob', (size) =>
    Buffer.concat([
      text('XABA'),
      filled(size, Buffer.concat([assemblyHead(100 * 1024 * 1024), text('\x1fa\x01\0\xff\xff\xff\xff')])),
    ]),
  ),
  'assemblies in assemblies': file('assemblies.blob', (size) => {
    const one = Buffer.concat([assemblyHead(size >> 2), text('\xf0\xff\xff\xff\xff\xff')])
    return Buffer.concat([text('XABA'), filled(size >> 1, one), filled(size >> 1, key)])
  }),
  'one that repeats a byte': file('a.dll', (size) =>
    Buffer.concat([assemblyHead(size * 200), text('\x1fa\x01\0'), filled(size, '\xff')]),
  ),
}

/** A bundle of one list: blocks, then files. */
function unityOf(
  blocks: readonly (readonly [size: number, packed: number, flags: number])[],
  files: Buffer,
  data: Buffer,
) {
  const rows = Buffer.concat(
    blocks.map(([size, packed, flags]) => Buffer.concat([u32be(size, packed), u16be(flags)])),
  )
  const list = Buffer.concat([zeros(16), u32be(blocks.length), rows, files])
  return Buffer.concat([
    text('UnityFS\0'),
    u32be(6),
    text('5\0'),
    text('2021\0'),
    zeros(8),
    u32be(list.length, list.length, 0),
    list,
    data,
  ])
}
const filesOf = (count: number, start: number, size: number) =>
  Buffer.concat([u32be(count), filled(count * 22, Buffer.concat([u32be(0, start, 0, size, 0), text('a\0')]))])

const unity: CostlyFiles = {
  'one file many times': file('a.bundle', (size) => {
    const data = filled(size >> 1, `${key} `)
    return unityOf([[data.length, data.length, 0]], filesOf(times(size >> 1, 22), 0, data.length), data)
  }),
  'empty blocks': file('a.bundle', (size) =>
    unityOf(
      Array.from({ length: times(size, 10) }, () => [0, 0, 0] as const),
      filesOf(1, 0, key.length),
      text(key),
    ),
  ),
  'blocks that become more than they say': file('a.bundle', (size) =>
    unityOf(
      [[0x7fff_ffff, size, 3]],
      filesOf(1, 0, size),
      Buffer.concat([text('\x1fa\x01\0'), filled(size, '\xff')]),
    ),
  ),
  'more files than there are': file('a.bundle', (size) =>
    unityOf([[size, size, 0]], u32be(1_000_000), filled(size, key)),
  ),
}

/** Bytes that become so much more that a bound ends it. */
const bomb = (size: number) => filled(size * 900, 'a')
const bound = 16 * 1024 * 1024

const gzip: CostlyFiles = {
  'many members': file('a.gz', (size) => filled(size, gzipSync(''))),
  'many members, the last of which breaks off': file('a.gz', (size) =>
    Buffer.concat([
      filled(size, gzipSync('')).subarray(0, times(size, 20) * 20),
      gzipSync(key).subarray(0, 20),
    ]),
  ),
  'one that becomes much more': file('a.gz', (size) =>
    gzipSync(filled(Math.min(bound * 20, size * 900), 'a')),
  ),
  'names without an end': file('a.gz', (size) =>
    Buffer.concat([Buffer.from('1f8b080800000000', 'hex'), zeros(2), filled(size, 'a')]),
  ),
  'one in one in one': file('a.gz', (size) => {
    let inner: Buffer = filled(size, key)
    for (let depth = 0; depth < 14; depth++) inner = gzipSync(inner, { level: 0 })
    return inner
  }),
}

const zlib: CostlyFiles = {
  'one that becomes much more': file('a.bin', (size) => deflateSync(bomb(Math.min(size, bound / 64)))),
  'one that breaks off': file('a.bin', (size) =>
    deflateSync(bomb(Math.min(size, bound / 64))).subarray(0, -8),
  ),
}

const zstd: CostlyFiles = {
  'frames that are skipped': file('a.zst', (size) =>
    filled(size, Buffer.concat([Buffer.from('502a4d18', 'hex'), u32(0)])),
  ),
  'many frames': file('a.zst', (size) => filled(size, zstdCompressSync('a'))),
  'one that becomes much more': file('a.zst', (size) => zstdCompressSync(bomb(Math.min(size, bound / 64)))),
}

const brotli: CostlyFiles = {
  'one that becomes much more': file('a.br', (size) =>
    brotliCompressSync(bomb(Math.min(size, bound / 64)), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
  'what is none': file('a.br', (size) => filled(size, '\xff\x1b')),
}

const stream = (data: Buffer) => Buffer.concat([text('\nstream\r\n'), data, text('\nendstream')])

const pdf: CostlyFiles = {
  'streams that do not end': file('a.pdf', (size) =>
    Buffer.concat([text(`%PDF-1.7 ${key}`), filled(size, '/F[<<stream\n')]),
  ),
  'filters without streams': file('a.pdf', (size) =>
    Buffer.concat([text('%PDF-1.7'), filled(size, '/Filter /FlateDecode<<')]),
  ),
  'short streams': file('a.pdf', (size) =>
    Buffer.concat([text('%PDF-1.7'), filled(size, stream(deflateSync(text(key))))]),
  ),
  'streams that break off': file('a.pdf', (size) =>
    Buffer.concat([
      text('%PDF-1.7'),
      filled(size, text('/FlateDecode>>\nstream\nx\x9c')),
      deflateSync(filled(size * 64, 'a')),
    ]),
  ),
}

const pngHead = Buffer.from('89504e470d0a1a0a', 'hex')
const pngChunk = (type: string, data: Buffer) =>
  Buffer.concat([u32be(data.length), text(type), data, zeros(4)])

const png: CostlyFiles = {
  'texts that become much more': file('a.png', (size) => {
    const one = pngChunk('zTXt', Buffer.concat([text('a\0\0'), deflateSync(filled(size * 16, 'a'))]))
    return Buffer.concat([pngHead, filled(size - (size % one.length), one)])
  }),
  'short texts': file('a.png', (size) =>
    Buffer.concat([
      pngHead,
      filled(size, pngChunk('zTXt', Buffer.concat([text('a\0\0'), deflateSync(text(key))]))),
    ]),
  ),
  'texts without an end': file('a.png', (size) =>
    Buffer.concat([pngHead, filled(size, pngChunk('iTXt', filled(20, 'a')))]),
  ),
}

interface Lies {
  readonly rows: number
  readonly crc?: number
  /** Stated size of the uncompressed entry. */
  readonly size?: number
  /** By so many bytes more, each entry says that its data is shorter. */
  readonly shorter?: number
}

/** One entry that the directory has many times. */
function zipOf(
  data: Buffer,
  whole: Buffer,
  { rows, crc = crc32(whole), size = whole.length, shorter = 0 }: Lies,
): Buffer {
  const common = (packed: number) => Buffer.concat([u16(20, 0, 8, 0, 0), u32(crc, packed, size), u16(1, 0)])
  const local = Buffer.concat([text('PK\x03\x04'), common(data.length), text('a'), data])
  const row = Buffer.concat([text('PK\x01\x02\x14\0'), common(data.length), zeros(14), text('a')])
  const directory = filled(rows * row.length, row)
  for (let at = 1; shorter > 0 && at < rows; at++)
    directory.writeUInt32LE(Math.max(1, data.length - at * shorter), at * row.length + 20)
  const end = Buffer.concat([
    text('PK\x05\x06'),
    u16(0, 0, rows % 65_536, rows % 65_536),
    u32(directory.length, local.length),
    u16(0),
  ])
  return Buffer.concat([local, directory, end])
}
const rowsFor = (size: number) => times(size >> 1, 47)

const zip: CostlyFiles = {
  'one entry many times': file('a.zip', (size) => {
    const whole = filled(size << 2, `${key} `)
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size) })
  }),
  'one entry many times, with a wrong checksum': file('a.zip', (size) => {
    const whole = filled(size << 5, 'a')
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size), crc: 1 })
  }),
  'one entry many times, with a wrong size': file('a.zip', (size) => {
    const whole = filled(size << 2, `${key} `)
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size), size: 1 })
  }),
  'one entry many times, with a wrong size and nothing in it': file('a.zip', (size) => {
    const whole = filled(size << 5, 'a')
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size), size: 1 })
  }),
  'one entry many times, over the limit': file('a.zip', (size) => {
    const whole = filled(size << 7, 'a')
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size), size: 1 })
  }),
  'one entry many times, each of which breaks off earlier': file('a.zip', (size) => {
    const whole = filled(size << 5, 'a')
    return zipOf(deflateRawSync(whole), whole, { rows: rowsFor(size), size: 1, shorter: 1 })
  }),
  'one entry many times, each of which is corrupt and shorter': file('a.zip', (size) => {
    const whole = filled(size << 3, 'a')
    const packed = Buffer.concat([deflateRawSync(whole).subarray(0, -64), filled(size >> 2, '\xff')])
    return zipOf(packed, whole, { rows: rowsFor(size), size: 1, shorter: 1 })
  }),
  'one entry many times, which breaks off': file('a.zip', (size) => {
    const whole = filled(size << 5, 'a')
    return zipOf(Buffer.concat([deflateRawSync(whole).subarray(0, -4), filled(4, '\xff')]), whole, {
      rows: rowsFor(size),
    })
  }),
  'entries without a directory': file('a.zip', (size) => {
    const common = Buffer.concat([u16(20, 8, 8, 0, 0), u32(0, 0, 0), u16(1, 0)])
    return filled(size, Buffer.concat([text('PK\x03\x04'), common, text('a'), deflateRawSync(text('a'))]))
  }),
  'entries without a size or an end': file('a.zip', (size) => {
    const common = Buffer.concat([u16(20, 8, 8, 0, 0), u32(0, 0, 0), u16(1, 0)])
    return Buffer.concat([
      filled(size, Buffer.concat([text('PK\x03\x04'), common, text('a\xff')])),
      text(key),
    ])
  }),
  'ends of directories': file('a.zip', (size) =>
    Buffer.concat([text(key), filled(size, Buffer.concat([text('PK\x05\x06'), filled(18, '\x01')]))]),
  ),
  'beginnings of signatures': file('a.zip', (size) =>
    Buffer.concat([text('PK\x03\x04'), zeros(30), filled(size, 'PK')]),
  ),
  'entries that are empty': file('a.zip', (size) =>
    buildWideZip(Array.from({ length: times(size, 108) }, (_, at) => ({ name: `${at}`, bytes: zeros(0) }))),
  ),
  'zips in zips': file('a.zip', (size) => {
    let inner: Buffer = filled(size >> 1, key)
    for (let depth = 0; depth < 14; depth++) inner = buildZip([{ name: 'a.zip', bytes: inner, stored: true }])
    return inner
  }),
}

/** Costly files that each container has to bear, by the name of its format. */
export const costlyContainers: Readonly<Record<string, CostlyFiles>> = {
  tar,
  asar,
  gzip,
  zstd,
  brotli,
  zlib,
  assemblies,
  unity,
  pdf,
  png,
  zip,
  'asset catalogue': assetCatalogue,
  'git pack': gitPack,
  'packed streams': packedStreams,
  mail,
}
