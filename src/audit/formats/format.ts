import type { StringTable } from '../scan/scan.ts'
import { readArsc } from './arsc.ts'
import { readAxml } from './axml.ts'
import { readBplist } from './bplist.ts'
import { readDex } from './dex.ts'
import { readElf } from './elf.ts'
import { readHermes } from './hermes.ts'
import { readClass } from './java-class.ts'
import { readMachO } from './mach-o.ts'
import { readProtoResources, readProtoXml } from './protobuf.ts'
import { readSqlite } from './sqlite.ts'
import { type TextFormat, textFormat } from './text-format.ts'
import { readWasm } from './wasm.ts'

/** What a file is, by its first bytes; `read` gives its strings by its own table and throws where it does not parse. */
export interface Format {
  readonly name: string
  readonly isText: boolean
  readonly read?: (bytes: Buffer) => StringTable
  /** Of a script: its name says so, and not only its looks. */
  readonly isCertain?: boolean
}

const hermesMagic = Buffer.from('c61fbc03c103191f', 'hex')

const byMagic: readonly (readonly [
  name: string,
  magics: readonly number[],
  read?: (bytes: Buffer) => StringTable,
])[] = [
  ['arsc', [0x02000c00], readArsc],
  ['binary-xml', [0x03000800], readAxml],
  ['mach-o', [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe], readMachO],
  ['elf', [0x7f454c46], readElf],
  ['wasm', [0x0061736d], readWasm],
  ['ram-bundle', [0xe5d10bfb]],
]

/** How any format below begins, and UTF-16. */
const firstBytes = new Set([
  ...byMagic.flatMap(([, magics]) => magics.map((magic) => magic >>> 24)),
  ...Buffer.from('dbS\n'),
  ...[hermesMagic[0] ?? 0, 0xca, 0xfe, 0xff],
])

/** Recognises a format by content; the name decides only among texts and messages, which have no mark. */
export function formatOf(name: string, bytes: Buffer): Format {
  const binary = binaryFormat(name, bytes)
  if (binary !== null) return { ...binary, isText: false }
  if (!isText(bytes)) return { name: isUtf16(bytes) ? textFormat(name, '').name : 'binary', isText: false }
  const text: TextFormat = textFormat(name, bytes.toString('latin1', 0, 65_536))
  return { ...text, isText: true }
}

/** Whether the bytes are neither a text nor of any format that has a mark. */
export function isPlainBinary(name: string, bytes: Buffer): boolean {
  const isMarked = firstBytes.has(bytes[0] ?? 0)
  return !isText(bytes) && !(isMarked && (isUtf16(bytes) || binaryFormat(name, bytes) !== null))
}

function binaryFormat(name: string, bytes: Buffer): Omit<Format, 'isText'> | null {
  const head = bytes.toString('latin1', 0, 16)
  const first = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  if (/^dex\n\d{3}\0/.test(head)) return { name: 'dex', read: readDex }
  if (bytes.subarray(0, 8).equals(hermesMagic)) return { name: 'hermes', read: readHermes }
  if (head.startsWith('bplist0')) return { name: 'binary-plist', read: readBplist }
  if (head.startsWith('SQLite format 3\0')) return { name: 'sqlite', read: readSqlite }
  const known = byMagic.find(([, magics]) => magics.includes(first))
  if (known !== undefined) return { name: known[0], ...(known[2] === undefined ? {} : { read: known[2] }) }
  if (first === 0xcafebabe || first === 0xcafebabf) {
    // Both begin alike: a class file has its version here, a fat binary the number of its parts.
    const isFat = bytes.length > 8 && bytes.readUInt32BE(4) < 45
    return isFat ? { name: 'mach-o-fat', read: readMachO } : { name: 'class', read: readClass }
  }
  if (first >>> 24 !== 0x0a) return null
  if (/^resources\.pb$/i.test(name)) return { name: 'proto-resources', read: readProtoResources }
  return /\.xml$/i.test(name) && !isText(bytes) ? { name: 'proto-xml', read: readProtoXml } : null
}

/** No zero byte in its beginning or end; UTF-16 counts as binary, whose strings end anywhere. */
function isText(bytes: Buffer): boolean {
  if (bytes.length <= 65_536) return !bytes.includes(0)
  return !bytes.subarray(0, 65_536).includes(0) && !bytes.subarray(-4096).includes(0)
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  return mark === 0xfeff || mark === 0xfffe
}
