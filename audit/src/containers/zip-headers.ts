import type { GapKind } from '../model/finding.ts'
import { type Source, viewOf } from './source.ts'

/** Where the central directory of an archive is, as the record at its end says. */
export interface Directory {
  readonly start: number
  readonly end: number
  /** The length of leading data, which has to be added to the offsets in the directory. */
  readonly delta: number
  readonly count: number
}

const endSignature = Buffer.from('PK\x05\x06')
const wideEndSignature = Buffer.from('PK\x06\x06')
const centralSignature = 0x02014b50
/** How far from its end a file is searched that is not in memory. */
const tailBytes = 4 * 1024 * 1024
/** The record at the end, with the longest comment. */
const usualTail = 22 + 65_535
const tries = 64

/** `null` where no record at the end points at a directory. */
export function findDirectory(source: Source): Directory | null {
  const base = source.whole === undefined ? Math.max(0, source.size - tailBytes) : 0
  const tail = source.whole ?? source.read(base, source.size)
  // Backwards takes several times as long as forwards, and most files are no archive.
  let at = tail.subarray(-usualTail).lastIndexOf(endSignature)
  if (at !== -1) at += Math.max(0, tail.length - usualTail)
  else if (tail.includes(endSignature)) at = tail.lastIndexOf(endSignature)
  for (let tried = 0; at !== -1 && tried < tries; tried++) {
    if (at + 22 <= tail.length) {
      const found = wideDirectory(source, tail, at, base) ?? directoryAt(source, tail, at, base)
      if (found !== null) return found
    }
    at = at === 0 ? -1 : tail.lastIndexOf(endSignature, at - 1)
  }
  return null
}

function directoryAt(source: Source, tail: Buffer, at: number, base: number): Directory | null {
  const count = tail.readUInt16LE(at + 10)
  return placed(source, base + at, tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16), count)
}

function placed(source: Source, end: number, size: number, offset: number, count: number): Directory | null {
  const isDirectory = (start: number) => {
    const head = start < 0 ? null : source.read(start, start + 4)
    return head?.length === 4 && head.readUInt32LE(0) === centralSignature
  }
  // An empty directory is believed only at the beginning: programs that read archives hold its signature too.
  if (count === 0 && size === 0)
    return end > 0 ? null : { start: end, end, delta: Math.max(0, end - offset), count }
  const before = end - size
  if (isDirectory(before)) return { start: before, end, delta: before - offset, count }
  return isDirectory(offset) ? { start: offset, end, delta: 0, count } : null
}

function wideDirectory(source: Source, tail: Buffer, end: number, base: number): Directory | null {
  const locator = end - 20
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return null
  const stated = Number(tail.readBigUInt64LE(locator + 8)) - base
  for (const at of [stated, tail.lastIndexOf(wideEndSignature, locator)]) {
    if (at < 0 || at + 56 > locator || tail.readUInt32LE(at) !== 0x06064b50) continue
    const [count, size, offset] = [32, 40, 48].map((field) => Number(tail.readBigUInt64LE(at + field)))
    return placed(source, base + at, size ?? 0, offset ?? 0, count ?? 0)
  }
  return null
}

export interface ZipEntry {
  readonly name: Buffer
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number | null
  /** As the directory says; `null` where nothing says it. */
  readonly size: number | null
  readonly headerStart: number
  readonly dataStart: number
  readonly dataEnd: number
  /** The difference of the local header from the directory. */
  readonly disagreement?: string
}

export interface ZipProblem {
  readonly kind: GapKind
  readonly reason: string
  readonly isMissing?: boolean
}

/** A zip archive by its central directory, and what of the bytes no entry accounts for. */
export interface Zip {
  readonly entries: readonly ZipEntry[]
  /** Directory, local headers, padding, and anything hidden between, before and after: `[start, end)`. */
  readonly rest: readonly (readonly [start: number, end: number])[]
  readonly problems: readonly ZipProblem[]
}

const unknown32 = 0xffff_ffff
const localHeader = 30

/** The entries, one or two, that a record of the directory describes: a second one where the local header differs. */
export interface CentralEntry {
  readonly entries: readonly ZipEntry[]
  readonly next: number
  readonly problem?: ZipProblem
}

/**
 * Reads the record at an index of the directory, and the local header that it points at.
 * @param view on the directory's bytes: with thousands of entries, it reads several times as fast as the buffer does
 */
export function readCentralEntry(
  source: Source,
  { directory, view }: { readonly directory: Buffer; readonly view: DataView },
  at: number,
  delta: number,
): CentralEntry {
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const crc = view.getUint32(at + 16, true)
  const nameEnd = at + 46 + view.getUint16(at + 28, true)
  const extraEnd = nameEnd + view.getUint16(at + 30, true)
  const next = extraEnd + view.getUint16(at + 32, true)
  const name = directory.subarray(at + 46, nameEnd)
  let size = view.getUint32(at + 24, true)
  let compressed = view.getUint32(at + 20, true)
  let offset = view.getUint32(at + 42, true)
  if (size === unknown32 || compressed === unknown32 || offset === unknown32) {
    const wide = wideFields(directory.subarray(nameEnd, extraEnd), [size, compressed, offset])
    ;[size = size, compressed = compressed, offset = offset] = wide
  }
  const headerStart = offset + delta
  const local = headerStart < 0 ? null : localHeaderAt(source, headerStart)
  if (local === null)
    return {
      entries: [],
      next,
      problem: { ...corrupt('an entry’s header is missing', name), isMissing: true },
    }
  const wanted = local.dataStart + compressed
  const dataEnd = Math.min(source.size, wanted)
  const entry: ZipEntry = {
    name,
    method,
    isEncrypted: (flags & 1) !== 0,
    crc,
    size,
    headerStart,
    dataStart: Math.min(local.dataStart, dataEnd),
    dataEnd,
  }
  const disagreement = disagreementOf(local, entry, compressed)
  const truncated = wanted > source.size ? { problem: corrupt('an entry is truncated', name) } : {}
  if (disagreement === null) return { entries: [entry], next, ...truncated }
  const other = localEntryAt(source, headerStart, source.size)
  const isOther = other !== null && (other.method !== method || other.dataEnd !== dataEnd)
  return {
    entries: [{ ...entry, disagreement }, ...(isOther ? [{ ...other, disagreement }] : [])],
    next,
    ...truncated,
  }
}

function corrupt(what: string, name: Buffer): ZipProblem {
  return { kind: 'corrupt', reason: `${what}: ${name.toString('utf8')}` }
}

/** A local header: where it is, and what it says. */
interface LocalHeader {
  readonly bytes: Buffer
  readonly nameStart: number
  readonly nameEnd: number
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
  readonly dataStart: number
}

const localSignature = 0x04034b50

function localHeaderAt(source: Source, at: number): LocalHeader | null {
  // In memory, nothing is cut out for it: there may be thousands.
  const { whole } = source
  let bytes = whole ?? source.read(at, at + localHeader + 256)
  const view = source.view?.() ?? viewOf(bytes)
  const start = whole === undefined ? 0 : at
  if (bytes.length < start + localHeader || view.getUint32(start, true) !== localSignature) return null
  const nameLength = view.getUint16(start + 26, true)
  const nameStart = start + localHeader
  if (whole === undefined && nameStart + nameLength > bytes.length)
    bytes = source.read(at, at + localHeader + nameLength)
  return {
    bytes,
    nameStart,
    nameEnd: Math.min(bytes.length, nameStart + nameLength),
    flags: view.getUint16(start + 6, true),
    method: view.getUint16(start + 8, true),
    crc: view.getUint32(start + 14, true),
    compressed: view.getUint32(start + 18, true),
    size: view.getUint32(start + 22, true),
    dataStart: at + localHeader + nameLength + view.getUint16(start + 28, true),
  }
}

const descriptorFollows = 8

function disagreementOf(local: LocalHeader, entry: ZipEntry, compressed: number): string | null {
  if (local.method !== entry.method) return 'the two headers have different methods'
  if (entry.name.compare(local.bytes, local.nameStart, local.nameEnd) !== 0)
    return 'the two headers have different names'
  const { compressed: stated, flags } = local
  if ((flags & descriptorFollows) === 0 && stated !== unknown32 && stated !== compressed)
    return 'the two headers have different sizes'
  return null
}

/** The zip64 extra field holds, in order, those of the values that did not fit. */
function wideFields(extra: Buffer, values: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      let field = at + 4
      return values.map((value) => {
        if (value !== unknown32 || field + 8 > Math.min(end, extra.length)) return value
        field += 8
        return Number(extra.readBigUInt64LE(field - 8))
      })
    }
    at = end
  }
  return [...values]
}

/** So few bytes behind a name have no key in them: they align what follows. */
const padding = 3

/**
 * Says whether the directory holds all that an entry's local header does. Thousands of them need not be read
 * again.
 */
export function saysNothingNew({ headerStart, dataStart, name, disagreement }: ZipEntry): boolean {
  return disagreement === undefined && dataStart - headerStart <= localHeader + name.length + padding
}

export const readableMethods = [0, 8, 93]

/** An entry by its local header alone; it reaches to `limit` where its size is not stated. */
export function localEntryAt(source: Source, at: number, limit: number): ZipEntry | null {
  const local = localHeaderAt(source, at)
  if (local === null || local.dataStart > limit || !readableMethods.includes(local.method)) return null
  const { flags, compressed, dataStart } = local
  const hasSize =
    (flags & descriptorFollows) === 0 && compressed !== unknown32 && dataStart + compressed <= limit
  return {
    name: local.bytes.subarray(local.nameStart, local.nameEnd),
    method: local.method,
    isEncrypted: (flags & 1) !== 0,
    crc: hasSize ? local.crc : null,
    size: hasSize ? local.size : null,
    headerStart: at,
    dataStart,
    dataEnd: hasSize ? dataStart + compressed : limit,
  }
}
