import type { StringTable } from '../scan/scan.ts'
import { readArsc } from './arsc.ts'
import { readAxml } from './axml.ts'
import { readBplist } from './bplist.ts'
import { readDex } from './dex.ts'
import { readHermes } from './hermes.ts'

/** What a file is, by its first bytes; `read` gives its strings by its own table and throws where it does not parse. */
export interface Format {
  readonly name: string
  readonly isText: boolean
  readonly read?: (bytes: Buffer) => StringTable
}

const hermesMagic = Buffer.from('c61fbc03c103191f', 'hex')

/** Recognises a format by content; the name decides only among texts. */
export function formatOf(name: string, bytes: Buffer): Format {
  const head = bytes.toString('latin1', 0, 12)
  const first = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  if (/^dex\n\d{3}\0/.test(head)) return { name: 'dex', isText: false, read: readDex }
  if (bytes.subarray(0, 8).equals(hermesMagic)) return { name: 'hermes', isText: false, read: readHermes }
  if (first === 0x02000c00) return { name: 'arsc', isText: false, read: readArsc }
  if (first === 0x03000800) return { name: 'binary-xml', isText: false, read: readAxml }
  if (head.startsWith('bplist0')) return { name: 'binary-plist', isText: false, read: readBplist }
  if ([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(first))
    return { name: 'mach-o', isText: false }
  if (first === 0xcafebabe || first === 0xcafebabf)
    return { name: bytes.length > 8 && bytes.readUInt32BE(4) < 32 ? 'mach-o-fat' : 'class', isText: false }
  if (first === 0x7f454c46) return { name: 'elf', isText: false }
  if (first === 0x0061736d) return { name: 'wasm', isText: false }
  if (head.startsWith('SQLite format')) return { name: 'sqlite', isText: false }
  if (first === 0xcafed00d || !isText(bytes)) return { name: 'binary', isText: false }
  return { name: textFormat(name, bytes), isText: true }
}

/** No zero byte in its beginning or end; UTF-16 counts as binary, whose strings end anywhere. */
function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, 65_536).includes(0) && !bytes.subarray(-4096).includes(0)
}

function textFormat(name: string, bytes: Buffer): string {
  if (/^\.env(?:\.|$)|\.env$/i.test(name)) return 'env'
  const head = bytes.toString('utf8', 0, 2048).trimStart()
  if (/^<(?:!doctype html|html|head|body|script)/i.test(head) || /\.x?html?$/i.test(name)) return 'html'
  if (/<!DOCTYPE plist|<plist/.test(head)) return 'plist'
  if (head.startsWith('<?xml') || head.startsWith('<')) return 'xml'
  if (/^(?:\)\]\}'.*\n)?[{[]/.test(head) && !/\.[cm]?[jt]sx?$/i.test(name)) {
    if (/"(?:mappings|sections)"/.test(head) || /"sources"\s*:/.test(head) || /\.map$/i.test(name))
      return 'source-map'
    return 'json'
  }
  if (/\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name)) return 'javascript'
  if (/\.(?:css|md|txt|csv|strings|properties|ya?ml|toml|kt|java|swift|dart)$/i.test(name)) return 'text'
  return /(?:\bfunction\b|=>|\bvar |\bconst |\blet |__d\()/.test(bytes.toString('latin1', 0, 65_536))
    ? 'javascript'
    : 'text'
}
