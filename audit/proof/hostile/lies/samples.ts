import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { layoutOf, stringAt } from '../../../src/formats/hermes/tables.ts'
import { zip } from '../../../src/self-test/containers/zip.ts'
import { buildAsar } from '../../../src/testing/build-asar.ts'
import { buildFat, buildMachO } from '../../../src/testing/build-binary.ts'
import { buildTar } from '../../../src/testing/build-tar.ts'
import { buildUnity, lz4Literals } from '../../../src/testing/build-unity.ts'
import { buildWideZip } from '../../../src/testing/build-wide-zip.ts'
import { buildZip } from '../../../src/testing/build-zip.ts'
import { key, u32, u32be } from '../../../src/testing/costly/costly-file.ts'
import { costlyFormats } from '../../../src/testing/costly/formats.ts'
import { createRandom, type Host, hostOf } from '../../../src/testing/fuzz.ts'
import { samplesFolder } from '../../samples.ts'

type Place = readonly [start: number, end: number]

/** A small valid file with a key in it, about whose fields lies are told. */
export interface TruthfulFile extends Host {
  /**
   * Where the key is, or the compressed data that has it, and the marks without which that is something else. As long as these
   * bytes are what they were, the key is in the file.
   */
  readonly kept: readonly Place[]
}

const zeros = (count: number) => Buffer.alloc(count)
const words = Buffer.from(`const room = 'lobby'\nconst key = '${key}'\n`)
const other = Buffer.from('title of a room')
function plainly(name: string, bytes: Buffer): TruthfulFile {
  const form = formsOf(key).find((one) => bytes.includes(one)) ?? Buffer.from(key)
  return compressed(name, bytes, form, [])
}

/**
 * @param data the compressed data in the file
 * @param marks bytes without which it is another file, or the data another thing
 */
function compressed(
  name: string,
  bytes: Buffer,
  data: Buffer,
  marks: readonly (Buffer | string)[],
): TruthfulFile {
  const places = [data, ...marks].map((piece) => {
    const [at, { length }] = [bytes.indexOf(piece), Buffer.from(piece)]
    if (at === -1) throw new Error(`${name} has no place for its data, or a mark`)
    return [at, at + length] as const
  })
  return { name, bytes, key, kept: places }
}

const deflated = deflateRawSync(words)
const inZlib = deflateSync(words)
const files = [
  { name: 'title.txt', bytes: other },
  { name: 'a.js', bytes: words },
]

/** A member with a name, an extra field and a comment. */
function gzipOf(): Buffer {
  const head = Buffer.from('1f8b081c00000000000304006162000061002f00', 'hex')
  return Buffer.concat([head, deflated, u32(crc32(words), words.length)])
}

const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')

function pngOf(type: string, head: string): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    return Buffer.concat([u32be(data.length), body, u32be(crc32(body))])
  }
  return Buffer.concat([
    pngMark,
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    chunk(type, Buffer.concat([Buffer.from(head), inZlib])),
    chunk('IEND', zeros(0)),
  ])
}

function pdfOf(): Buffer {
  const stream = Buffer.concat([Buffer.from('stream\r\n'), inZlib, Buffer.from('\nendstream\nendobj\n')])
  const head = `%PDF-1.7\n1 0 obj\n<</Length ${inZlib.length}/Filter/FlateDecode>>\n`
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('trailer\n<</Size 2>>\nstartxref\n9\n%%EOF\n'),
  ])
}

function catalogueOf(): Buffer {
  const rendition = Buffer.alloc(184 + 12)
  rendition.write('ISTC', 'latin1')
  rendition.writeUInt16LE(1000, 36)
  rendition.write('DWAR', 184, 'latin1')
  rendition.writeUInt32LE(inZlib.length, 192)
  const block = Buffer.concat([rendition, inZlib])
  const head = Buffer.concat([Buffer.from('BOMStore'), u32be(1, 0, 32 + block.length, 20), zeros(8)])
  return Buffer.concat([head, block, u32be(2, 0, 0, 32, block.length)])
}

function packOf(): Buffer {
  const object = (size: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0x80 | (3 << 4) | (size & 15), size >> 4]), data])
  return Buffer.concat([
    Buffer.from('PACK'),
    u32be(2, 2),
    object(other.length, deflateSync(other)),
    object(words.length, inZlib),
    Buffer.alloc(20, 7),
  ])
}

const assembly = (bytes: Buffer) =>
  Buffer.concat([Buffer.from('XALZ'), u32(0, bytes.length), lz4Literals(bytes)])
const sections = [{ name: '__cstring', bytes: Buffer.from(`title\0${key}\0`), kind: 2 }]

const others = [{ name: '__cstring', bytes: other, kind: 2 }]

/**
 * Puts a key into its place in a file that the format's own tool made.
 * @param more places without which the key is no string of the file
 */
function planted(
  name: string,
  bytes: Buffer,
  more: (bytes: Buffer, at: number) => readonly Place[] = () => [],
): TruthfulFile {
  const host = hostOf(name, bytes, createRandom(1))
  const forms = host === null ? [] : formsOf(host.key)
  const form = forms.find((one) => host?.bytes.includes(one))
  if (host === null || form === undefined) throw new Error(`${name} has no room for a key`)
  const at = host.bytes.indexOf(form)
  return { ...host, kept: [[at, at + form.length], ...more(host.bytes, at)] }
}

/** The bytes of a key as it may be in a file. */
export function formsOf(text: string): Buffer[] {
  const wide = Buffer.from(text, 'utf16le')
  return [Buffer.from(text), wide, Buffer.from(wide).swap16()]
}

/** The mark, and the row of the table that makes the key a string: in Hermes all strings follow each other. */
function rowsOfHermes(bytes: Buffer, key: number): Place[] {
  const layout = layoutOf(bytes)
  const rows = Array.from({ length: layout.strings }, (_, index) => index)
    .filter((index) => stringAt(bytes, layout, index)?.start === key)
    .map((index): Place => [layout.stringsAt + index * 4, layout.stringsAt + index * 4 + 4])
  return [[0, 8], ...rows]
}
const hermes = (file: string) => planted(file, readFileSync(join(samplesFolder, file)), rowsOfHermes)

const sample = (file: string) => planted(file, readFileSync(join(samplesFolder, file)))

/** The file of that name in an archive among the samples. */
function member(archive: string, wanted: string): TruthfulFile {
  let found: TruthfulFile | null = null
  zip.rewrite(archive, readFileSync(join(samplesFolder, archive)), ({ name, bytes }) => {
    if (name === wanted) found = planted(wanted.slice(wanted.lastIndexOf('/') + 1), bytes)
    return null
  })
  if (found === null) throw new Error(`${archive} has no ${wanted}`)
  return found
}

/** Scripts that follow each other, behind a table of their places and sizes, each with a zero at its end. */
function ramBundleOf(modules: readonly Buffer[]): Buffer {
  const scripts = modules.map((one) => Buffer.concat([one, zeros(1)]))
  let start = 0
  const rows = scripts.map(({ length }) => {
    start += length
    return u32(start - length, length)
  })
  return Buffer.concat([u32(0xfb0bd1e5, modules.length, 0), ...rows, ...scripts])
}

/** A costly file that is so small that it costs nothing. */
function small(format: string, title: string): TruthfulFile {
  const costly = costlyFormats[format]?.[title]
  if (costly === undefined) throw new Error(`no costly file of ${format} is called ${title}`)
  return plainly(costly.file, costly.bytes(300))
}

/** By the reader of binary files that reads them. */
export const truthfulFiles: Readonly<Record<string, () => readonly TruthfulFile[]>> = {
  tar: () => [plainly('a.tar', buildTar({ 'title.txt': other, 'a.js': words }))],
  asar: () => [
    plainly(
      'a.asar',
      buildAsar(
        {
          files: {
            'title.txt': { offset: '0', size: other.length },
            lib: { files: { 'a.js': { offset: `${other.length}`, size: words.length } } },
          },
        },
        Buffer.concat([other, words]),
      ),
    ),
  ],
  gzip: () => [compressed('a.gz', gzipOf(), deflated, [Buffer.from('1f8b08', 'hex')])],
  zstd: () => {
    const bytes = zstdCompressSync(Buffer.alloc(2000, words))
    return [{ name: 'a.zst', bytes, key, kept: [[0, bytes.length]] }]
  },
  brotli: () => {
    const bytes = brotliCompressSync(Buffer.alloc(2000, words))
    return [{ name: 'a.br', bytes, key, kept: [[0, bytes.length]] }]
  },
  zlib: () => {
    const bytes = deflateSync(Buffer.alloc(2000, words))
    return [{ name: 'a.bin', bytes, key, kept: [[0, bytes.length]] }]
  },
  'shell archive': () => {
    const data = gzipSync(words)
    const bytes = Buffer.concat([Buffer.from('#!/bin/sh\ntail -n +3 "$0" | gzip -d\nexit\n'), data])
    return [compressed('a.run', bytes, data, ['#!/bin/sh\n', Buffer.from('0a1f8b', 'hex')])]
  },
  assemblies: () => [
    plainly('App.dll', assembly(words)),
    plainly(
      'assemblies.blob',
      Buffer.concat([Buffer.from('XABA\x01\0\0\0'), assembly(other), assembly(words)]),
    ),
  ],
  unity: () => [
    plainly(
      'a.bundle',
      buildUnity(
        [
          { packed: other, size: other.length, compression: 0 },
          { packed: lz4Literals(words), size: words.length, compression: 2 },
        ],
        [
          [0, other.length, 'title'],
          [other.length, words.length, 'CAB-1'],
        ],
      ),
    ),
  ],
  'packed streams': () => {
    // As Qt's compiler of resources writes them: where the parts are, their sizes, and a stream behind its own size.
    const head = Buffer.concat([Buffer.from('qres'), u32be(1, 60, 20, 40, inZlib.length + 4, words.length)])
    return [compressed('a.rcc', Buffer.concat([head, inZlib, zeros(8)]), inZlib, ['qres'])]
  },
  mail: () => {
    const data = Buffer.from(words.toString('base64'))
    const head = 'Content-Transfer-Encoding: base64\n\n'
    return [compressed('a.eml', Buffer.concat([Buffer.from(head), data]), data, [head])]
  },
  pdf: () => [compressed('a.pdf', pdfOf(), inZlib, ['%PDF-'])],
  png: () =>
    [['zTXt', 'a\0\0'] as const, ['iTXt', 'b\0\x01\0en\0t\0'] as const].map(([type, head]) =>
      compressed('a.png', pngOf(type, head), inZlib, [pngMark, type]),
    ),
  'asset catalogue': () => [
    compressed('Assets.car', catalogueOf(), inZlib, ['BOMStore', 'ISTC', u32(1000), 'DWAR']),
  ],
  'git pack': () => [compressed('a.pack', packOf(), inZlib, [Buffer.from('PACK\0\0\0\x02')])],
  zip: () => {
    const many = buildZip(files)
    const wide = buildWideZip(files)
    return [
      plainly('a.zip', buildZip(files.map((one) => ({ ...one, stored: true })))),
      compressed('a.zip', many, deflated, ['PK\x03\x04']),
      compressed('a.zip', wide, deflated, ['PK\x03\x04']),
    ]
  },
  dex: () => [sample('classes.dex')],
  hermes: () => [hermes('v96.hbc'), hermes('v99.hbc')],
  arsc: () => [member('app.apk', 'resources.arsc')],
  'binary-xml': () => [member('app.apk', 'res/xml/config.xml'), member('utf16.apk', 'res/xml/config.xml')],
  'binary-plist': () => [sample('Info.plist')],
  class: () => [sample('Canary.class')],
  dotnet: () => [small('dotnet', 'methods with one body')],
  'mach-o': () => [
    plainly('a.dylib', buildMachO(sections)),
    plainly('b.dylib', buildMachO(sections, { isLittle: false })),
  ],
  'mach-o-fat': () => [plainly('a.dylib', buildFat([buildMachO(others), buildMachO(sections)]))],
  elf: () => [sample('libx86.so'), small('elf', 'short strings')],
  pe: () => [small('pe', 'lengths of texts that overlap')],
  wasm: () => [sample('module.wasm')],
  sqlite: () => [sample('UTF-8.sqlite')],
  'ram-bundle': () => [plainly('a.bundle', ramBundleOf([other, words]))],
  'il2cpp-metadata': () => [
    small('il2cpp-metadata', 'one literal many times'),
    small('il2cpp-metadata', 'short names'),
  ],
  'proto-resources': () => [member('app.aab', 'base/resources.pb')],
  'proto-xml': () => [member('app.aab', 'base/res/xml/config.xml')],
}
