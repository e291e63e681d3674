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

/** A format that its first four bytes tell, in big endian, or those and what follows. */
interface Marked {
  readonly name: string
  readonly first: readonly number[]
  readonly isMeant?: (bytes: Buffer) => boolean
  readonly read?: (bytes: Buffer) => StringTable
}

const hermesMagic = Buffer.from('c61fbc03c103191f', 'hex')

/** A class file has its version where a fat binary has the number of its parts. */
const isFat = (bytes: Buffer) => bytes.length > 8 && bytes.readUInt32BE(4) < 45

const marked: readonly Marked[] = [
  {
    name: 'dex',
    first: [0x6465780a],
    isMeant: (bytes) => /^\d{3}\0$/.test(bytes.toString('latin1', 4, 8)),
    read: readDex,
  },
  {
    name: 'hermes',
    first: [hermesMagic.readUInt32BE()],
    isMeant: (bytes) => bytes.subarray(0, 8).equals(hermesMagic),
    read: readHermes,
  },
  {
    name: 'binary-plist',
    first: [0x62706c69],
    isMeant: (bytes) => begins(bytes, 'bplist0'),
    read: readBplist,
  },
  {
    name: 'sqlite',
    first: [0x53514c69],
    isMeant: (bytes) => begins(bytes, 'SQLite format 3\0'),
    read: readSqlite,
  },
  { name: 'arsc', first: [0x02000c00], read: readArsc },
  { name: 'binary-xml', first: [0x03000800], read: readAxml },
  { name: 'mach-o', first: [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe], read: readMachO },
  { name: 'mach-o-fat', first: [0xcafebabe, 0xcafebabf], isMeant: isFat, read: readMachO },
  { name: 'class', first: [0xcafebabe, 0xcafebabf], read: readClass },
  { name: 'elf', first: [0x7f454c46], read: readElf },
  { name: 'wasm', first: [0x0061736d], read: readWasm },
  { name: 'ram-bundle', first: [0xe5d10bfb] },
]

function begins(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

const byFirst = Map.groupBy(
  marked.flatMap((format) => format.first.map((first) => ({ first, format }))),
  ({ first }) => first,
)

/** How any format below begins, and UTF-16. */
const firstBytes = new Set([...[...byFirst.keys()].map((first) => first >>> 24), 0x0a, 0xfe, 0xff])

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
  const first = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  const known = byFirst.get(first)?.find(({ format }) => format.isMeant?.(bytes) ?? true)?.format
  if (known !== undefined) return known
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
