import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { buildAsar } from './build-archives.ts'
import { buildMachO, protoField } from './build-binary.ts'

/** A file that lies, or costs its readers more than its size is worth. */
export interface HostileFile {
  readonly name: string
  readonly file: string
  readonly bytes: () => Buffer
  /** A key is found in spite of it, or what is not read is a gap. */
  readonly expects: 'finding' | 'gap'
}

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'
/** Bytes of most of them. */
const size = 512 * 1024

const text = (value: string) => Buffer.from(value, 'latin1')
const zeros = (count: number) => Buffer.alloc(Math.max(0, count))
const filled = (length: number, piece: Buffer | string) => Buffer.alloc(length, piece)
const times = (length: number, width: number) => Math.floor(length / width)
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64')

/** Numbers of one width one after the other. */
function words(width: 2 | 4, numbers: readonly number[], isBig = false): Buffer {
  const bytes = Buffer.alloc(width * numbers.length)
  for (const [index, number] of numbers.entries())
    if (isBig) bytes.writeUIntBE(number, index * width, width)
    else bytes.writeUIntLE(number, index * width, width)
  return bytes
}
const u16 = (...numbers: number[]) => words(2, numbers)
const u32 = (...numbers: number[]) => words(4, numbers)
const u16be = (...numbers: number[]) => words(2, numbers, true)
const u32be = (...numbers: number[]) => words(4, numbers, true)
const rows = (count: number, value: (index: number) => number) =>
  words(
    4,
    Array.from({ length: count }, (_, at) => value(at)),
  )

/** A header of a tar archive with a right checksum. */
function tarHeader(type: string, length: number): Buffer {
  const header = zeros(512)
  header.write('a', 'latin1')
  header.write(`${length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  header.write(`        ${type}`, 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
const inTar = (type: string, bytes: Buffer) =>
  Buffer.concat([tarHeader(type, bytes.length), bytes, zeros(512 - (bytes.length % 512 || 512))])

/** One entry that the directory of a zip has many times, each of them shorter by so many bytes. */
function zipOf(data: Buffer, whole: Buffer, { stated = whole.length, shorter = 0 } = {}): Buffer {
  const count = times(size, 94)
  const common = (packed: number) =>
    Buffer.concat([u16(20, 0, 8, 0, 0), u32(crc32(whole), packed, stated), u16(1, 0)])
  const local = Buffer.concat([text('PK\x03\x04'), common(data.length), text('a'), data])
  const row = Buffer.concat([text('PK\x01\x02\x14\0'), common(data.length), zeros(14), text('a')])
  const directory = filled(count * row.length, row)
  for (let at = 1; shorter > 0 && at < count; at++)
    directory.writeUInt32LE(Math.max(1, data.length - at * shorter), at * row.length + 20)
  const end = [text('PK\x05\x06'), u16(0, 0, count, count), u32(directory.length, local.length), u16(0)]
  return Buffer.concat([local, directory, ...end])
}
const keys = filled(size, `${key} `)
const letters = filled(16 * 1024 * 1024, 'a')

/** A header of DEX with the number of strings, and what they point at. */
function dexOf(count: number, stringAt: (index: number, strings: number) => number, strings: string): Buffer {
  const head = zeros(112)
  head.write('dex\n035\0', 'latin1')
  const first = text(`\x27${key}\0`)
  const start = 112 + first.length + count * 4
  const body = [first, rows(count, (at) => stringAt(at, start)), filled(size, strings), zeros(1)]
  head.writeUInt32LE(start + size + 1, 32)
  head.writeUInt32LE(count, 56)
  head.writeUInt32LE(112 + first.length, 60)
  return Buffer.concat([head, ...body])
}

/** A chunk of Android's compiled resources. */
const chunk = (type: number, header: number, length: number, rest: Buffer = zeros(0)) =>
  Buffer.concat([u16(type, header), u32(length), rest])
function resources(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat(chunks)
  return Buffer.concat([chunk(2, 12, 12 + body.length, u32(1)), body])
}
/** A pool of strings in UTF-8 that begin at the places given. */
function poolOf(places: readonly number[], strings: Buffer): Buffer {
  const start = 28 + places.length * 4
  const rest = Buffer.concat([u32(places.length, 0, 0x100, start, 0), words(4, places), strings])
  return chunk(1, 28, 8 + rest.length, rest)
}
const pooled = Buffer.concat([Buffer.from([39, 39]), text(`${key}\0`)])

/** Objects of a binary property list, their offsets, and what says where those are. */
function plistOf(objects: Buffer, offsets: readonly number[]): Buffer {
  const trailer = [zeros(6), Buffer.from([4, 4]), u32be(0, offsets.length, 0, 0, 0, 8 + objects.length)]
  return Buffer.concat([text('bplist00'), objects, words(4, offsets, true), ...trailer])
}
const plistKey = Buffer.concat([Buffer.from([0x5f, 0x10, key.length]), text(key)])

/** A database of pages of 512 bytes. */
function databaseOf(page: Buffer): Buffer {
  const first = zeros(512)
  first.write('SQLite format 3\0', 'latin1')
  first.writeUInt16BE(512, 16)
  first.writeUInt32BE(1, 56)
  first.write(key, 200, 'latin1')
  return Buffer.concat([first, filled(size, Buffer.concat([page, zeros(512)]).subarray(0, 512))])
}
const leaf = (cells: number, ...rest: Buffer[]) =>
  Buffer.concat([Buffer.from([0x0d, 0, 0]), u16be(cells), zeros(3), ...rest])

const row = (
  name: string,
  file: string,
  bytes: () => Buffer | string,
  expects: HostileFile['expects'] = 'finding',
): HostileFile => ({ name, file, bytes: () => Buffer.from(bytes() as string, 'latin1'), expects })
/** A script with a piece of a key, so that it is parsed. */
const script = (name: string, rest: string | (() => string)) =>
  row(name, 'a.js', () => `use("ac_" + "live_" + rest);\n${typeof rest === 'string' ? rest : rest()}`)

export const hostileFiles: readonly HostileFile[] = [
  // Containers: sizes, counts, overlaps, ratios and depth.
  row('a size below zero in tar', 'a.tar', () =>
    Buffer.concat([
      inTar('0', text(key)),
      inTar('x', text('14 size=-1536\n')),
      tarHeader('0', 0),
      zeros(size),
    ]),
  ),
  row('names without an end in tar', 'a.tar', () =>
    Buffer.concat([filled(size - (size % 1024), inTar('x', filled(512, '\n1 '))), inTar('0', text(key))]),
  ),
  row('one entry many times with a wrong size', 'a.zip', () =>
    zipOf(deflateRawSync(keys), keys, { stated: 1 }),
  ),
  row(
    'one entry many times, each of which breaks off earlier',
    'a.zip',
    () => zipOf(deflateRawSync(letters), letters, { stated: 1, shorter: 1 }),
    'gap',
  ),
  row('entries without a size or an end', 'a.zip', () => {
    const common = Buffer.concat([u16(20, 8, 8, 0, 0), u32(0, 0, 0), u16(1, 0)])
    return Buffer.concat([
      filled(size, Buffer.concat([text('PK\x03\x04'), common, text('a\xff')])),
      text(key),
    ])
  }),
  row('ends of directories', 'a.zip', () =>
    Buffer.concat([text(key), filled(size, Buffer.concat([text('PK\x05\x06'), filled(18, '\x01')]))]),
  ),
  row('one file many times in asar', 'a.asar', () => {
    const one = { offset: '0', size }
    const files = Object.fromEntries(Array.from({ length: times(size, 40) }, (_, at) => [`f${at}`, one]))
    return buildAsar({ files }, keys)
  }),
  row('folders in folders in asar', 'a.asar', () => {
    const depth = times(size, 16)
    const header = `${'{"files":{"a":'.repeat(depth)}${'}}'.repeat(depth)}`
    return Buffer.concat([u32(4, header.length + 8, 0, header.length), text(header + key)])
  }),
  row('folders with long names in asar', 'a.asar', () => {
    const one = { offset: '0', size: key.length }
    let files: object = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => [at, one]))
    for (let depth = 0; depth < 100; depth++) files = { ['d'.repeat(4000)]: { files } }
    return buildAsar({ files }, text(key))
  }),
  row('many members of gzip', 'a.gz', () =>
    Buffer.concat([filled(size - (size % 20), gzipSync('')), gzipSync(key)]),
  ),
  row('gzip that becomes much more', 'a.gz', () => gzipSync(Buffer.alloc(96 * 1024 * 1024, 'a')), 'gap'),
  row('zlib that breaks off', 'a.bin', () =>
    Buffer.concat([deflateSync(letters).subarray(0, -8), text(key)]),
  ),
  row('frames of zstd that are skipped', 'a.zst', () =>
    Buffer.concat([filled(size, Buffer.from('502a4d1800000000', 'hex')), zstdCompressSync(key)]),
  ),
  row('brotli that is none', 'a.br', () => filled(size, '\xff\x1b'), 'gap'),
  row(
    'brotli that becomes much more',
    'a.br',
    () => brotliCompressSync(letters.subarray(0, size * 8)).subarray(0, -4),
    'gap',
  ),
  row('marks of assemblies without data', 'assemblies.blob', () => {
    const mark = Buffer.concat([text('XALZ'), u32(0, 64 * 1024)])
    return Buffer.concat([text('XABA'), filled(size, mark), text(key)])
  }),
  row('one file many times in a bundle of Unity', 'a.bundle', () => {
    const count = times(size, 22)
    const files = filled(count * 22, Buffer.concat([u32be(0, 0, 0, size, 0), text('a\0')]))
    const list = Buffer.concat([zeros(16), u32be(1, size, size), u16be(0), u32be(count), files])
    const head = [text('UnityFS\0'), u32be(6), text('5\0'), text('2021\0'), zeros(8)]
    return Buffer.concat([...head, u32be(list.length, list.length, 0), list, keys])
  }),
  // Tables: lengths without an end, overlaps, circles and counts.
  row('lengths without an end in DEX', 'a.dex', () => dexOf(times(size, 8), (_, start) => start, '\x80')),
  row('one string many times in DEX', 'a.dex', () => dexOf(times(size, 8), (at, start) => start + at, 'a')),
  row('strings in strings in Hermes', 'a.hbc', () => {
    const count = times(size, 48)
    const head = zeros(128)
    Buffer.from('c61fbc03c103191f', 'hex').copy(head)
    head.writeUInt32LE(96, 8)
    const small = rows(count, (at) => at * 2 + 0xff00_0000)
    const overflow = rows(count * 2, (at) => (at % 2 === 0 ? at : size >> 1))
    const storage = Buffer.concat([filled(size, 'a'), text(key)])
    const bytes = Buffer.concat([head, u32(count), small, overflow, storage])
    const fields = [bytes.length, 0, 0, 1, 0, count, count, storage.length]
    for (const [at, value] of fields.entries()) bytes.writeUInt32LE(value, 32 + at * 4)
    return bytes
  }),
  row('packages that reach past what they are in', 'resources.arsc', () => {
    const pair = Buffer.concat([chunk(0x200, 8, 32), chunk(0x200, 8, 16)])
    const rest = Buffer.concat([text(key), zeros(size)])
    return resources(filled(640, pair), filled(64, chunk(0, 8, 8)), chunk(0, 8, 8 + rest.length, rest))
  }),
  row('strings in strings of resources', 'resources.arsc', () => {
    const places = Array.from({ length: times(size, 8) }, (_, at) => at * 4)
    const long = filled(size >> 1, Buffer.from([0x80, 0x20, 0x80, 0x20]))
    return resources(poolOf([...places, 0], Buffer.concat([long, zeros(40), pooled])))
  }),
  row('attributes without a size', 'a.xml', () => {
    const element = chunk(0x102, 16, 36, Buffer.concat([u32(1, 0, 0, 0), u16(20, 0, 65_535), zeros(6)]))
    const body = Buffer.concat([poolOf([0], pooled), filled(size, element), zeros(40)])
    return Buffer.concat([chunk(3, 8, 8 + body.length), body])
  }),
  row('one collection many times', 'a.plist', () => {
    const list = Buffer.concat([Buffer.from([0xaf, 0x12]), u32be(size >> 4), zeros(size >> 2)])
    const same = Array.from({ length: times(size, 8) }, () => 8 + plistKey.length)
    return plistOf(Buffer.concat([plistKey, list]), [...same, 8])
  }),
  row('dictionaries in a circle', 'a.plist', () => {
    const count = times(size, 13)
    const offsets = Array.from({ length: count }, (_, at) => 8 + plistKey.length + at * 9)
    const one = Buffer.concat([Buffer.from([0xd1]), u32be(0, 1)])
    return plistOf(Buffer.concat([plistKey, filled(count * 9, one)]), [8, ...offsets])
  }),
  row('members with attributes', 'A.class', () => {
    const constant = Buffer.concat([Buffer.from([1]), u16be(key.length), text(key)])
    const member = Buffer.concat([u16be(1, 1, 1, 65_535), zeros(6 * 2000)])
    const head = [u32be(0xcafebabe, 52), u16be(2), constant, zeros(6), u16be(0, 65_535)]
    return Buffer.concat([...head, filled(size, member)])
  }),
  row('segments that have all sections', 'a.dylib', () => {
    const head = u32(0xfeedfacf, 0x0100_000c, 0, 2, times(size, 8), 0, 0, 0)
    return Buffer.concat([head, filled(size, u32(0x19, 8)), text(`${key}\0`)])
  }),
  row('one part many times in a fat Mach-O', 'a.dylib', () => {
    const strings = Buffer.concat([text(`${key}\0`), filled(size, '12345678\0')])
    const part = buildMachO([{ name: '__cstring', bytes: strings, kind: 2 }])
    return Buffer.concat([
      u32be(0xcafebabe, 32),
      filled(32 * 20, u32be(0, 0, 8 + 32 * 20, part.length, 0)),
      part,
    ])
  }),
  row('many sections that do not end', 'a.so', () => {
    const head = zeros(64)
    head.write('\x7fELF\x02\x01\x01', 'latin1')
    const body = Buffer.concat([filled(size, 'a'), text(`\0${key}\0`)])
    head.writeBigUInt64LE(BigInt(64 + body.length), 40)
    head.writeUInt16LE(64, 58)
    head.writeUInt16LE(8192, 60)
    const section = [u32(0, 3), zeros(16), u32(64, 0, size, 0), zeros(16), u32(1, 0)]
    return Buffer.concat([head, body, filled(8192 * 64, Buffer.concat(section))])
  }),
  row('segments past their section', 'a.wasm', () =>
    Buffer.concat([
      text('\0asm\x01\0\0\0\x0b\x80\x80\x80\x01\x80\x80\x40'),
      filled(size, '\x01\0'),
      text(key),
    ]),
  ),
  row('cells that do not fit', 'a.db', () => databaseOf(leaf(65_535))),
  row('rows in a circle of pages', 'a.db', () =>
    databaseOf(
      leaf(100, filled(200, u16be(300)), zeros(92), Buffer.from([0x90, 0x80, 0]), zeros(60), u32be(2)),
    ),
  ),
  row('messages in messages', 'resources.pb', () => {
    let content: Buffer = Buffer.concat([protoField(2, text(key)), filled(size, protoField(2, text('a')))])
    for (let level = 0; level < 99; level++) content = protoField(1, content)
    return content
  }),
  row('one literal many times', 'global-metadata.dat', () => {
    const count = times(size, 16)
    const data = Buffer.concat([text(key), filled(count * 8, 'a')])
    const places = [24, 32, count * 8, 32 + count * 8, data.length, 0, 0]
    return Buffer.concat([u32(0xfab11baf, ...places), filled(count * 8, u32(count * 8, 0)), data])
  }),
  // Texts: places without number, encodings in encodings, values that expand.
  row('keys without number', 'a.txt', () =>
    Array.from({ length: 30_000 }, (_, at) => `${key}${at}`).join('\n'),
  ),
  row('prefixes in escapes', 'a.txt', () => `${key} ${'%61c_live_'.repeat(50_000)}`),
  row('half a prefix in hexadecimal', 'a.txt', () => `${key} ${'61635f6c6976'.repeat(50_000)}`),
  row('codes without an end', 'a.txt', () => `${key} ${'97,99,95,108,105,118,101,95,'.repeat(20_000)}`),
  row(
    'heads of compressed values',
    'a.txt',
    () => `${key} ${'H4sI'.repeat(100_000)} ${'SDRzS '.repeat(50_000)}`,
  ),
  row('a compressed value that becomes much more', 'a.txt', () => `${key} ${base64(gzipSync(letters))}`),
  row('quotation marks in JSON', 'a.json', () => `{"${key}${'"'.repeat(size)}`),
  row('openers of scripts', 'a.html', () => `<html>${key}${'<script '.repeat(60_000)}`),
  row(
    'a map as deep as it is long',
    'a.js.map',
    () => `{"version":3,"sources":${'['.repeat(100_000)}"${key}"`,
  ),
  row('a map of many sources', 'a.js.map', () =>
    JSON.stringify({ version: 3, sources: [], sourcesContent: [`k="${key}"`, ...Array(200_000).fill('a')] }),
  ),
  // Scripts that are parsed and folded: depth, sums, names, lists and replacements.
  script('parentheses in parentheses', `use(${'('.repeat(100_000)}"a"${')'.repeat(100_000)})`),
  script('templates in templates', `use(${'`${'.repeat(20_000)}1${'}`'.repeat(20_000)})`),
  script('names that double', () =>
    Array.from({ length: 5000 }, (_, at) => `const a${at + 1}=a${at}+a${at};`).join('const a0="ac_";'),
  ),
  script(
    'replacements that multiply',
    `const t="a".repeat(60000);use(${'t.replaceAll("a",t)+'.repeat(2000)}t)`,
  ),
  script('lists in lists', `const l=[${'"a",'.repeat(9000)}];use([${'...l,'.repeat(9000)}].join("ac_"))`),
]
