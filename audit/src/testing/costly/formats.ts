import { buildElf, buildMachO, buildProgram } from '../build-binary.ts'
import {
  type CostlyFile,
  type CostlyFiles,
  filled,
  key,
  numbered,
  times,
  u16,
  u16be,
  u32,
  u32be,
  words,
} from './costly-file.ts'
import { dexPrograms } from './dex-programs.ts'

const file = (name: string, bytes: CostlyFile['bytes']): CostlyFile => ({ file: name, bytes })
const text = (value: string) => Buffer.from(value, 'latin1')
const zeros = (count: number) => Buffer.alloc(Math.max(0, count))

/** A header of 112 bytes, with the number and the place of its strings, and what they point at. */
function dexOf(size: number, count: number, table: number, body: Buffer, tables: readonly number[] = []) {
  const head = zeros(112)
  head.write('dex\n035\0', 'latin1')
  head.writeUInt32LE(size, 32)
  head.writeUInt32LE(count, 56)
  head.writeUInt32LE(table, 60)
  for (const [index, value] of tables.entries()) head.writeUInt32LE(value, 64 + index * 4)
  return Buffer.concat([head, body])
}

const dexHead = 112
const keyText = text(`\x27${key}\0`)

const dex: CostlyFiles = {
  'lengths without an end': file('a.dex', (size) => {
    const count = times(size, 8)
    const table = dexHead + keyText.length
    const strings = table + count * 4
    const rows = words(
      4,
      Array.from({ length: count }, () => strings),
    )
    const body = Buffer.concat([keyText, rows, filled(size - strings - 1, '\x80'), zeros(1)])
    return dexOf(dexHead + body.length, count, table, body)
  }),
  'one string many times': file('a.dex', (size) => {
    const count = times(size, 8)
    const table = dexHead + keyText.length
    const strings = table + count * 4
    const rows = words(
      4,
      Array.from({ length: count }, (_, at) => strings + at),
    )
    const body = Buffer.concat([keyText, rows, filled(size - strings, 'a'), zeros(1)])
    return dexOf(dexHead + body.length, count, table, body)
  }),
  'short strings': file('a.dex', (size) => {
    const count = times(size, 6)
    const table = dexHead + keyText.length
    const strings = table + count * 4
    const rows = words(
      4,
      Array.from({ length: count }, (_, at) => strings + at * 2),
    )
    const body = Buffer.concat([keyText, rows, filled(count * 2, '\x01\0')])
    return dexOf(dexHead + body.length, count, table, body)
  }),
  'tables over each other': file('a.dex', (size) => {
    const count = times(size, 36)
    const rows = words(
      4,
      Array.from({ length: times(size, 4) }, (_, at) => at),
    )
    const at = dexHead + keyText.length
    const tables = Array.from({ length: 5 }, () => [count, at]).flat()
    return dexOf(at + rows.length, 0, 0, Buffer.concat([keyText, rows]), tables)
  }),
  'arrays in arrays': file('a.dex', (size) => {
    const body = filled(size, Buffer.concat([u16(0x0300, 1), u32(Math.min(200_000, size >> 1))]))
    return dexOf(dexHead + body.length, 0, 0, body)
  }),
  'short arrays': file('a.dex', (size) => {
    const body = filled(size, Buffer.concat([u16(0x0300, 1), u32(16), text('ac_live_9fK2mPq7')]))
    return dexOf(dexHead + body.length, 0, 0, body)
  }),
}

/** A file of Hermes without functions, whose strings are all long, and overlap. */
function hermesOf(strings: number, length: number, storage: Buffer): Buffer {
  const head = zeros(128)
  Buffer.from('c61fbc03c103191f', 'hex').copy(head)
  head.writeUInt32LE(96, 8)
  const table = Buffer.concat([
    u32(strings),
    words(
      4,
      Array.from({ length: strings }, (_, at) => at * 2 + 0xff00_0000),
    ),
    words(
      4,
      Array.from({ length: strings * 2 }, (_, at) => (at % 2 === 0 ? at : length)),
    ),
  ])
  const bytes = Buffer.concat([head, table, storage])
  for (const [at, value] of [
    [32, bytes.length],
    [44, 1],
    [52, strings],
    [56, strings],
    [60, storage.length],
  ] as const)
    bytes.writeUInt32LE(value, at)
  return bytes
}

const hermes: CostlyFiles = {
  'strings in strings': file('a.hbc', (size) => {
    const strings = Math.min(times(size, 48), 1_000_000)
    return hermesOf(
      strings,
      size >> 1,
      Buffer.concat([filled(size >> 1, 'a'), filled(strings * 2, 'b'), text(key)]),
    )
  }),
  'strings that all have a key': file('a.hbc', (size) => {
    const strings = Math.min(times(size, 48), 1_000_000)
    return hermesOf(strings, size >> 1, Buffer.concat([filled(size >> 2, 'a'), text(key), filled(size, 'b')]))
  }),
}

/** A chunk of Android's compiled resources. */
const chunk = (type: number, headerSize: number, size: number, rest: Buffer = zeros(0)) =>
  Buffer.concat([u16(type, headerSize), u32(size), rest])
const resources = (...chunks: readonly Buffer[]) => {
  const body = Buffer.concat(chunks)
  return Buffer.concat([chunk(2, 12, 12 + body.length, u32(1)), body])
}
/** A pool of strings in UTF-8 that begin at the places given, counted from the first of them. */
function poolOf(places: readonly number[], strings: Buffer): Buffer {
  const start = 28 + places.length * 4
  const rest = Buffer.concat([u32(places.length, 0, 0x100, start, 0), words(4, places), strings])
  return chunk(1, 28, 8 + rest.length, rest)
}
const pooled = Buffer.concat([Buffer.from([39, 39]), text(`${key}\0`)])

const compiledResources: CostlyFiles = {
  'packages that reach past what they are in': file('resources.arsc', (size) => {
    // Each is read again by two of those before it.
    const pairs = Math.min(times(size, 16), 40)
    const pair = Buffer.concat([chunk(0x200, 8, 32), chunk(0x200, 8, 16)])
    const empty = filled(64, chunk(0, 8, 8))
    const rest = Buffer.concat([text(key), zeros(size - pairs * 16)])
    return resources(filled(pairs * 16, pair), empty, chunk(0, 8, 8 + rest.length, rest))
  }),
  'packages in packages': file('resources.arsc', (size) => {
    const depth = times(size, 8)
    const all = Array.from({ length: depth }, (_, at) => chunk(0x200, 8, (depth - at) * 8 + pooled.length))
    return resources(Buffer.concat(all), pooled)
  }),
  'pools that have all strings of the file': file('resources.arsc', (size) => {
    const count = times(size, 8)
    return resources(filled(size, chunk(1, 28, 28, u32(count, 0, 0x100, 28, 0))), pooled)
  }),
  'strings in strings': file('resources.arsc', (size) => {
    const places = Array.from({ length: times(size, 8) }, (_, at) => at * 4)
    const long = Buffer.from([0x80, 0x20, 0x80, 0x20])
    return resources(poolOf([...places, 0], Buffer.concat([filled(size >> 1, long), zeros(40), pooled])))
  }),
  'many strings': file('resources.arsc', (size) => {
    const places = Array.from({ length: times(size, 7) }, (_, at) => at * 3)
    return resources(
      poolOf(
        [...places, places.length * 3],
        Buffer.concat([filled(places.length * 3, '\x00\x00\x00'), pooled]),
      ),
    )
  }),
  'many strings that are encoded': file('resources.arsc', (size) => {
    const value = Buffer.from(key).toString('base64')
    const one = Buffer.concat([Buffer.from([value.length, value.length]), text(`${value}\0`)])
    const places = Array.from({ length: times(size, one.length + 4) }, (_, at) => at * one.length)
    return resources(poolOf(places, filled(places.length * one.length, one)))
  }),
}

const document = (...chunks: readonly Buffer[]) => {
  const body = Buffer.concat(chunks)
  return Buffer.concat([chunk(3, 8, 8 + body.length), body])
}
const element = (size: number, attributes: Buffer) =>
  chunk(0x102, 16, size, Buffer.concat([u32(1, 0, 0, 0), attributes]))

const binaryXml: CostlyFiles = {
  'attributes without a size': file('a.xml', (size) =>
    document(
      poolOf([0], pooled),
      filled(size, element(36, Buffer.concat([u16(20, 0, 65_535), zeros(6)]))),
      zeros(40),
    ),
  ),
  'attributes that reach past their element': file('a.xml', (size) =>
    document(
      poolOf([0], pooled),
      filled(size, element(36, Buffer.concat([u16(20, 20, 65_535), zeros(6)]))),
      zeros(40),
    ),
  ),
  'elements without attributes': file('a.xml', (size) =>
    document(poolOf([0], pooled), filled(size, element(36, zeros(12)))),
  ),
  texts: file('a.xml', (size) => document(poolOf([0], pooled), filled(size, chunk(0x104, 16, 8)), zeros(16))),
}

/** Objects, their offsets, and what says where those are. */
function plistOf(objects: Buffer, offsets: readonly number[], reference = 4): Buffer {
  const trailer = Buffer.concat([
    zeros(6),
    Buffer.from([4, reference]),
    u32be(0, offsets.length, 0, 0, 0, 8 + objects.length),
  ])
  return Buffer.concat([text('bplist00'), objects, words(4, offsets, true), trailer])
}
const plistKey = Buffer.concat([Buffer.from([0x5f, 0x10, key.length]), text(key)])
const same = (count: number, offset: number) => Array.from({ length: count }, () => offset)

const propertyList: CostlyFiles = {
  'one string many times': file('a.plist', (size) =>
    plistOf(Buffer.concat([plistKey, Buffer.from([0x5f, 0x12]), u32be(size >> 1), filled(size >> 1, 'a')]), [
      ...same(times(size, 8), 8 + plistKey.length),
      8,
    ]),
  ),
  'one collection many times': file('a.plist', (size) =>
    plistOf(Buffer.concat([plistKey, Buffer.from([0xaf, 0x12]), u32be(size >> 4), zeros(size >> 2)]), [
      ...same(times(size, 8), 8 + plistKey.length),
      8,
    ]),
  ),
  'offsets of a byte': file('a.plist', (size) => {
    const offsets = filled(size, Buffer.from([8]))
    const trailer = Buffer.concat([
      zeros(6),
      Buffer.from([1, 1]),
      u32be(0, size, 0, 0, 0, 8 + plistKey.length),
    ])
    return Buffer.concat([text('bplist00'), plistKey, offsets, trailer])
  }),
  'short strings': file('a.plist', (size) => {
    const count = times(size, 6)
    const offsets = Array.from({ length: count }, (_, at) => 8 + plistKey.length + at * 2)
    return plistOf(Buffer.concat([plistKey, filled(count * 2, 'Qa')]), [8, ...offsets])
  }),
  dictionaries: file('a.plist', (size) => {
    const count = times(size, 13)
    const offsets = Array.from({ length: count }, (_, at) => 8 + plistKey.length + at * 9)
    const one = Buffer.concat([Buffer.from([0xd1]), u32be(0, 0)])
    return plistOf(Buffer.concat([plistKey, filled(count * 9, one)]), [8, ...offsets])
  }),
}

const classHead = u32be(0xcafebabe, 52)
const constant = (value: string) => Buffer.concat([Buffer.from([1]), u16be(value.length), text(value)])

const javaClass: CostlyFiles = {
  'many constants': file('A.class', (size) =>
    Buffer.concat([classHead, u16be(65_535), constant(key), filled(size, constant('a'))]),
  ),
  'members with attributes': file('A.class', (size) =>
    Buffer.concat([
      classHead,
      u16be(2),
      constant(key),
      zeros(6),
      u16be(0),
      u16be(65_535),
      filled(size, Buffer.concat([u16be(1, 1, 1, 65_535), zeros(6 * 2000)])),
    ]),
  ),
}

const machHead = (commands: number) => Buffer.concat([u32(0xfeedfacf, 0x0100_000c, 0, 2, commands, 0, 0, 0)])
/** A section of 64 bits: a name, a place, and what kind it is. */
function section(name: string, start: number, size: number, kind = 2): Buffer {
  const bytes = zeros(80)
  bytes.write(name, 'latin1')
  bytes.writeBigUInt64LE(BigInt(size), 40)
  bytes.writeUInt32LE(start, 48)
  bytes.writeUInt32LE(kind, 64)
  return bytes
}
const machOf = (body: Buffer) => Buffer.concat([body, text(`${key}\0`)])

const machO: CostlyFiles = {
  'segments that have all sections of the file': file('a.dylib', (size) => {
    const count = times(size, 8)
    const command = Buffer.concat([u32(0x19, 8)])
    return machOf(Buffer.concat([machHead(count), filled(size, command)]))
  }),
  'sections that do not end': file('a.dylib', (size) => {
    const count = times(size, 160)
    const start = 32 + 72 + count * 80
    const command = Buffer.concat([u32(0x19, 72 + count * 80), zeros(56), u32(count, 0)])
    const all = filled(count * 80, section('__cstring', start, 1))
    return machOf(Buffer.concat([machHead(1), command, all, filled(count * 80, 'a')]))
  }),
  'sections in UTF-16 that do not end': file('a.dylib', (size) => {
    const count = times(size, 160)
    const start = 32 + 72 + count * 80
    const command = Buffer.concat([u32(0x19, 72 + count * 80), zeros(56), u32(count, 0)])
    const all = filled(count * 80, section('__ustring', start, 2))
    return machOf(Buffer.concat([machHead(1), command, all, filled(count * 80, 'a\0\x01')]))
  }),
  'symbols that are all of the file': file('a.dylib', (size) => {
    const count = times(size, 24)
    const command = u32(2, 24, 0, 0, 0, size)
    return machOf(Buffer.concat([machHead(count), filled(size, command)]))
  }),
  'short strings': file('a.dylib', (size) =>
    buildMachO([
      { name: '__cstring', bytes: Buffer.concat([text(`${key}\0`), filled(size, '12345678\0')]), kind: 2 },
    ]),
  ),
}

const fatMachO: CostlyFiles = {
  'one part many times': file('a.dylib', (size) => {
    const part = buildMachO([
      { name: '__cstring', bytes: Buffer.concat([text(`${key}\0`), filled(size, '12345678\0')]), kind: 2 },
    ])
    const rows = filled(32 * 20, u32be(0, 0, 8 + 32 * 20, part.length, 0))
    return Buffer.concat([u32be(0xcafebabe, 32), rows, part])
  }),
  'parts of many commands': file('a.dylib', (size) => {
    const rows = filled(32 * 20, u32be(0, 0, 8 + 32 * 20, size, 0))
    const command = Buffer.concat([u32(0x1b, 8)])
    return Buffer.concat([
      u32be(0xcafebabe, 32),
      rows,
      machHead(times(size, 8)),
      filled(size, command),
      text(key),
    ])
  }),
}

/** An ELF of 64 bits whose sections all have one header. */
function elfOf(sections: number, width: number, header: Buffer, body: Buffer): Buffer {
  const head = zeros(64)
  head.write('\x7fELF\x02\x01\x01', 'latin1')
  head.writeBigUInt64LE(BigInt(64 + body.length), 40)
  head.writeUInt16LE(width, 58)
  head.writeUInt16LE(sections, 60)
  return Buffer.concat([head, body, filled(width === 0 ? 64 : sections * 64, header)])
}
const elfHeader = (start: number, size: number) =>
  Buffer.concat([u32(0, 3), zeros(16), u32(start, 0, size, 0), zeros(16), u32(1, 0)])

const elf: CostlyFiles = {
  'strings that do not end': file('a.so', (size) =>
    elfOf(65_535, 0, elfHeader(64, 1), Buffer.concat([filled(size, 'a'), text(`\0${key}\0`)])),
  ),
  'many sections': file('a.so', (size) =>
    elfOf(
      Math.min(65_535, times(size, 64)),
      64,
      elfHeader(64, 16),
      Buffer.concat([filled(64, 'a'), text(`\0${key}\0`)]),
    ),
  ),
  'short strings': file('a.so', (size) =>
    buildElf([
      { name: '.strtab', bytes: Buffer.concat([text(`${key}\0`), filled(size, '12345678\0')]), kind: 3 },
    ]),
  ),
  'code that stores the prefix': file('a.so', (size) =>
    // mov rax, 'ac_live_'; mov [rsp], rax
    buildProgram('elf', 'x86-64', () =>
      Buffer.concat([
        text(`\0${key}\0`),
        filled(
          size,
          Buffer.concat([Buffer.from('48b8', 'hex'), text('ac_live_'), Buffer.from('48890424', 'hex')]),
        ),
      ]),
    ),
  ),
  'code that refers to the prefix': file('a.so', (size) =>
    buildProgram('elf', 'arm64', (address) => {
      const load = (0x91000000 | ((address & 0xfff) << 10)) >>> 0
      return Buffer.concat([text(`ac_live_\0${key}\0\0`), filled(size, u32(0x90000000, load))])
    }),
  ),
  'tables of the prefix': file('a.so', (size) =>
    buildProgram('elf', 'x86-64', (address) =>
      Buffer.concat([text(`ac_live_\0${key}\0\0`), filled(size, u32(address, 0))]),
    ),
  ),
  'tables of a text without an end': file('a.so', (size) =>
    buildProgram('elf', 'x86-64', (address) =>
      Buffer.concat([
        text(`ac_live_\0${key}\0\0`),
        filled(times(size, 32) * 16, u32(address, 0, address + size / 2 + 64, 0)),
        filled(size / 2, 'a'),
      ]),
    ),
  ),
}

const pe: CostlyFiles = {
  'lengths of texts that overlap': file('a.exe', (size) =>
    buildProgram('pe', 'x86-64', (address) => {
      const count = times(size, 32)
      const rows = Array.from({ length: count }, (_, at) => [address + at, 0, 4096, 0]).flat()
      return Buffer.concat([filled(count * 16, 'a'), text(`\0${key}\0`), words(4, rows)])
    }),
  ),
  'code that loads addresses and lengths': file('a.exe', (size) =>
    // lea rax, [rip - 7]; mov ebx, 16
    buildProgram('pe', 'x86-64', () =>
      Buffer.concat([text(`\0${key}\0`), filled(size, Buffer.from('488d05f9ffffffbb10000000', 'hex'))]),
    ),
  ),
}

/** An unsigned number in groups of seven bits. */
function leb(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest >= 128 ? (rest % 128) + 128 : rest)
    if (rest < 128) return Buffer.from(bytes)
  }
}
const module = (id: number, content: Buffer) =>
  Buffer.concat([text('\0asm\x01\0\0\0'), Buffer.from([id]), leb(content.length), content])
const counted = (size: number, one: Buffer) =>
  Buffer.concat([leb(times(size, one.length)), filled(times(size, one.length) * one.length, one)])
const segment = (bytes: Buffer) => Buffer.concat([Buffer.from([1]), leb(bytes.length), bytes])

const wasm: CostlyFiles = {
  'many exports': file('a.wasm', (size) =>
    Buffer.concat([module(7, counted(size, Buffer.from([0, 0, 0]))), text(key)]),
  ),
  'many imports': file('a.wasm', (size) =>
    Buffer.concat([module(2, counted(size, Buffer.from([0, 0, 0, 0]))), text(key)]),
  ),
  'many segments': file('a.wasm', (size) => module(11, counted(size, segment(text(`${key}\0`))))),
  'empty segments': file('a.wasm', (size) =>
    Buffer.concat([module(11, counted(size, segment(zeros(0)))), text(key)]),
  ),
  'constants that may be addresses': file('a.wasm', (size) =>
    Buffer.concat([
      module(10, filled(size / 2, Buffer.from([0x41, 0x41, 0x41, 0x08]))),
      module(
        11,
        Buffer.concat([
          Buffer.from([1, 0, 0x41, 16, 0x0b]),
          leb(size / 2),
          filled(size / 2, '0\0\0\0\x10\0\0\0'),
        ]),
      ).subarray(8),
      text(key),
    ]),
  ),
  'tables of texts of AssemblyScript': file('a.wasm', (size) => {
    const word = Buffer.concat([u32(2, 8), Buffer.from('live', 'utf16le')])
    const rows = filled(size, u32(24))
    const content = Buffer.concat([word, rows])
    return Buffer.concat([
      module(11, Buffer.concat([Buffer.from([1, 0, 0x41, 16, 0x0b]), leb(content.length), content])),
      text(key),
    ])
  }),
  'offsets without an end': file('a.wasm', (size) =>
    Buffer.concat([module(11, Buffer.concat([leb(1), zeros(1), filled(size, '\x20')])), text(key)]),
  ),
  'names of functions': file('a.wasm', (size) =>
    Buffer.concat([
      module(
        0,
        Buffer.concat([
          leb(4),
          text('name'),
          Buffer.from([1]),
          leb(size),
          counted(size - 8, Buffer.from([0, 0])),
        ]),
      ),
      text(key),
    ]),
  ),
  sections: file('a.wasm', (size) =>
    Buffer.concat([text('\0asm\x01\0\0\0'), filled(size, Buffer.from([1, 0])), text(key)]),
  ),
}

/** A database of pages of 512 bytes. */
function databaseOf(pages: readonly Buffer[]): Buffer {
  const first = zeros(512)
  first.write('SQLite format 3\0', 'latin1')
  first.writeUInt16BE(512, 16)
  first.writeUInt32BE(1, 56)
  first.write(key, 200, 'latin1')
  return Buffer.concat([first, ...pages])
}
const leafOf = (cells: number, rest: Buffer) =>
  Buffer.concat([Buffer.from([0x0d, 0, 0]), u16be(cells), zeros(3), rest, zeros(504)]).subarray(0, 512)

const sqlite: CostlyFiles = {
  'pages that have more cells than fit': file('a.db', (size) =>
    databaseOf(Array.from({ length: times(size, 512) }, () => leafOf(65_535, zeros(0)))),
  ),
  'cells in one place': file('a.db', (size) => {
    const cells = filled(480, u16be(490))
    return databaseOf(
      Array.from({ length: times(size, 512) }, () =>
        leafOf(240, Buffer.concat([cells, zeros(2), Buffer.from([10, 0, 2, 29, 97, 97])])),
      ),
    )
  }),
  'records that are all header': file('a.db', (size) => {
    const cell = Buffer.from([0x84, 0, 0, 0x83, 0x7f])
    return databaseOf(
      Array.from({ length: times(size, 512) }, () =>
        leafOf(200, Buffer.concat([filled(400, u16be(408)), cell])),
      ),
    )
  }),
  'rows that go on in one page': file('a.db', (size) => {
    const cell = Buffer.concat([Buffer.from([0x90, 0x80, 0]), zeros(60), u32be(2)])
    return databaseOf(
      Array.from({ length: times(size, 512) }, () =>
        leafOf(100, Buffer.concat([filled(200, u16be(300)), zeros(92), cell])),
      ),
    )
  }),
  'rows that end on their page': file('a.db', (size) => {
    const cell = Buffer.concat([Buffer.from([0x90, 0x80, 0])])
    return databaseOf(
      Array.from({ length: times(size, 512) }, () =>
        leafOf(100, Buffer.concat([filled(200, u16be(300)), zeros(92), cell])),
      ),
    )
  }),
}

const ramBundle: CostlyFiles = {
  'empty modules': file('a.bundle', (size) => Buffer.concat([u32(0xfb0bd1e5, 0, 0), zeros(size)])),
  'short modules': file('a.bundle', (size) =>
    Buffer.concat([u32(0xfb0bd1e5, 0, 0), filled(size, `x="ac_"+"live_"+"9fK2mPq7Rt4Vw8Xy";\0`)]),
  ),
}

const metadataHead = (rows: readonly number[]) => u32(0xfab11baf, 24, ...rows)
const metadata: CostlyFiles = {
  'one literal many times': file('global-metadata.dat', (size) => {
    const count = times(size, 16)
    const rows = filled(count * 8, u32(count * 8, 0))
    const data = Buffer.concat([text(key), filled(count * 8, 'a')])
    return Buffer.concat([metadataHead([32, rows.length, 32 + rows.length, data.length, 0, 0]), rows, data])
  }),
  'short names': file('global-metadata.dat', (size) => {
    const data = Buffer.concat([text(`${key}\0`), filled(size, '12345678\0')])
    return Buffer.concat([metadataHead([32, 0, 32, 0, 32, data.length]), data])
  }),
}

/** A field of a message with bytes. */
const field = (number: number, content: Buffer) =>
  Buffer.concat([Buffer.from([number * 8 + 2]), leb(content.length), content])
function messages(size: number, numbers: readonly number[], depth: number): Buffer {
  let content = Buffer.concat([field(2, text(key)), filled(size, field(2, text('a')))])
  for (let level = depth; level-- > 0; ) content = field(numbers[level % numbers.length] ?? 1, content)
  return content
}

const protoResources: CostlyFiles = {
  'messages in messages': file('resources.pb', (size) => messages(size, [1], 99)),
  'texts that may be messages': file('resources.pb', (size) => {
    let content = Buffer.concat([text(key), filled(size, 'a'.repeat(64))])
    for (let level = 0; level < 90; level++) content = field(1, content)
    return Buffer.concat([field(1, content), Buffer.from([0x0a, 1, 1])])
  }),
  'short fields': file('resources.pb', (size) =>
    Buffer.concat([field(1, text(key)), filled(size, Buffer.from([0x0a, 0]))]),
  ),
  'messages that fail at their end': file('resources.pb', (size) => {
    let content = Buffer.concat([
      field(1, text(key)),
      filled(size, Buffer.from([0x08, 1])),
      Buffer.from([0xff]),
    ])
    for (let level = 0; level < 90; level++) content = field(1, Buffer.concat([content, Buffer.from([0xff])]))
    return content
  }),
}

const protoXml: CostlyFiles = {
  'elements in elements': file('a.xml', (size) =>
    Buffer.concat([messages(size, [1, 5], 98), Buffer.from([0x08, 0])]),
  ),
  attributes: file('a.xml', (size) =>
    field(1, filled(size, field(4, Buffer.concat([field(2, text('a')), field(3, zeros(1))])))),
  ),
}

const utf16 = (value: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(value, 'utf16le')])

/** The head of compiled Python 3.8, and one object. */
const compiled = (object: Buffer) => Buffer.concat([Buffer.from('550d0d0a', 'hex'), zeros(12), object])
/** The object of a function: its numbers, and a constant. */
const functionOf = (constants: Buffer) => Buffer.concat([text('c'), zeros(24), text('N'), constants])

const binary: CostlyFiles = {
  'lists in lists of Python': file('a.pyc', (size) => compiled(filled(size, ')\x01'))),
  'lists that many lists share in Python': file('a.pyc', (size) => {
    const count = times(size, 10)
    const list = Buffer.concat([text('\xa8'), u32(count), filled(count * 5, 'zac_\x01')])
    const shared = Buffer.concat([text('r'), u32(0)])
    const constants = Buffer.concat([text('('), u32(count + 1), list, filled(count * 5, shared)])
    return Buffer.concat([compiled(functionOf(constants)), text(`N\0${key}`)])
  }),
  'functions in functions of Python': file('a.pyc', (size) => {
    const inner = functionOf(Buffer.concat([text(')\x03z\x08ac_live_z\x18'), text(key.slice(8, 32))]))
    return compiled(Buffer.concat([text('('), u32(times(size, inner.length)), filled(size, inner)]))
  }),
  'constants of Lua': file('a.luac', (size) =>
    Buffer.concat([text('\x1bLuaT'), filled(size, `\x04\x89ac_live_\x04\x99${key.slice(8, 32)}`)]),
  ),
  zeros: file('a.bin', (size) => Buffer.concat([text(key), zeros(size)])),
  'digits in UTF-16': file('a.bin', (size) => Buffer.from('QUJD'.repeat(size >> 3), 'utf16le')),
  'escapes in UTF-16': file('a.txt', (size) => utf16('\\u0061c_live_'.repeat(size / 26))),
  'keys one after the other': file('a.bin', (size) => numbered(size, (at) => text(`\0${key}${at}`))),
  'lengths before keys': file('a.bin', (size) => numbered(size, (at) => text(`\x27${key}\x12${at}`))),
  'tokens under a mask': file('a.bin', (size) =>
    Buffer.from(filled(size, 'eyJhbGciOiJIUzI1NiJ9.').map((byte) => byte ^ 0x55)),
  ),
  'prefixes under all masks': file('a.bin', (size) =>
    numbered(size, (at) => Buffer.from(text('ac_live_').map((byte) => byte ^ (1 + (at % 255))))),
  ),
}

/** A library of .NET: its texts, and the rows of its methods, which share one body. */
function assemblyOf(texts: Buffer, methods: number): Buffer {
  const [address, start] = [0x2000, 0x200]
  const names = text('\0a\0')
  const blobs = Buffer.from([0, 3, 0, 0, 1, 0])
  const body = Buffer.concat([Buffer.from([0x02 | (40 << 2)]), filled(39, '\0'), Buffer.from([0x2a])])
  const tables = Buffer.concat([
    u32(0),
    Buffer.from([2, 0, 0, 1]),
    u32((1 << 2) | (1 << 6), 0, 0, 0, 1, methods),
    Buffer.concat([u32(0), u16(1, 0, 0, 1, 1)]),
    ...Array.from({ length: methods }, () => Buffer.concat([u32(address + 72), u16(0, 0), u16(1, 1, 1)])),
  ])
  const heads = ['#~', '#Strings', '#Blob', '#US']
  const heaps = [tables, names, blobs, texts]
  const headSize = 20 + heads.reduce((sum, name) => sum + 8 + ((name.length + 4) & ~3), 0) + 12
  const metadata = 72 + body.length + ((4 - (body.length % 4)) % 4)
  let place = headSize
  const streams = heads.map((name, index) => {
    const heap = heaps[index] ?? names
    const head = Buffer.concat([u32(place, heap.length), text(name.padEnd((name.length + 4) & ~3, '\0'))])
    place += heap.length
    return head
  })
  const root = Buffer.concat([
    u32(0x424a5342, 0x10001, 0, 12),
    text('v4.0.30319\0\0'),
    u16(0, heads.length),
    ...streams,
  ])
  const content = Buffer.concat([
    u32(72, 0x50002, address + metadata, place),
    zeros(56),
    body,
    zeros(metadata - 72 - body.length),
    root,
    zeros(headSize - root.length),
    ...heaps,
  ])
  const head = zeros(start)
  head.writeUInt32BE(0x4d5a9000, 0)
  head.writeUInt32LE(0x80, 0x3c)
  head.writeUInt32LE(0x4550, 0x80)
  head.writeUInt16LE(1, 0x86)
  head.writeUInt16LE(0xe0, 0x94)
  head.writeUInt16LE(0x10b, 0x98)
  head.writeUInt32LE(address, 0x98 + 96 + 14 * 8)
  const section = 0x98 + 0xe0
  for (const [at, value] of [content.length, address, content.length, start].entries())
    head.writeUInt32LE(value, section + 8 + at * 4)
  return Buffer.concat([head, content])
}

const dotnet: CostlyFiles = {
  'methods with one body': file('A.dll', (size) =>
    assemblyOf(text(`\0\x4f${[...key].join('\0')}\0\0`), times(size, 14)),
  ),
  'texts of nothing': file('A.dll', (size) => assemblyOf(filled(size, '\0\x01'), 1)),
  'texts in texts': file('A.dll', (size) => assemblyOf(filled(size, '\xc0'), 1)),
}

/** Costly files that each format other than text has to bear, by the name of the format. */
export const costlyFormats: Readonly<Record<string, CostlyFiles>> = {
  dex: { ...dex, ...dexPrograms },
  hermes,
  arsc: compiledResources,
  'binary-xml': binaryXml,
  'binary-plist': propertyList,
  class: javaClass,
  dotnet,
  'mach-o': machO,
  'mach-o-fat': fatMachO,
  elf,
  pe,
  wasm,
  sqlite,
  'ram-bundle': ramBundle,
  'il2cpp-metadata': metadata,
  'proto-resources': protoResources,
  'proto-xml': protoXml,
  binary,
}
