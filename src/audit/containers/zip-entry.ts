import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import type { GapKind } from '../finding.ts'

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
  /** What the local header says differently. */
  readonly disagreement?: string
}

export interface ZipProblem {
  readonly kind: GapKind
  readonly reason: string
  readonly isMissing?: boolean
}

const unknown32 = 0xffff_ffff

/** The entry that a record of the central directory describes, checked against its local header. */
export function readCentralEntry(
  bytes: Buffer,
  at: number,
  delta: number,
): { entry: ZipEntry | null; next: number; problem?: ZipProblem } {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const crc = bytes.readUInt32LE(at + 16)
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  const next = extraEnd + bytes.readUInt16LE(at + 32)
  const name = Buffer.from(bytes.subarray(at + 46, nameEnd))
  const wide = zip64Fields(bytes.subarray(nameEnd, extraEnd), [
    bytes.readUInt32LE(at + 24),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 42),
  ])
  const [size = 0, compressed = 0, offset = 0] = wide
  const headerStart = offset + delta
  if (headerStart < 0 || headerStart + 30 > bytes.length || bytes.readUInt32LE(headerStart) !== 0x04034b50)
    return {
      entry: null,
      next,
      problem: {
        kind: 'corrupt',
        reason: `an entry’s header is missing: ${name.toString('utf8')}`,
        isMissing: true,
      },
    }
  const dataStart =
    headerStart + 30 + bytes.readUInt16LE(headerStart + 26) + bytes.readUInt16LE(headerStart + 28)
  const wanted = dataStart + compressed
  const dataEnd = Math.min(bytes.length, wanted)
  const entry = {
    name,
    method,
    isEncrypted: (flags & 1) !== 0,
    crc,
    size,
    headerStart,
    dataStart: Math.min(dataStart, dataEnd),
    dataEnd,
  }
  const disagreement = disagreementOf(bytes, headerStart, entry, compressed)
  const problem: ZipProblem | undefined =
    wanted > bytes.length
      ? { kind: 'corrupt', reason: `an entry is truncated: ${name.toString('utf8')}` }
      : undefined
  return {
    entry: disagreement === null ? entry : { ...entry, disagreement },
    next,
    ...(problem === undefined ? {} : { problem }),
  }
}

function disagreementOf(bytes: Buffer, header: number, entry: ZipEntry, compressed: number): string | null {
  const nameEnd = header + 30 + bytes.readUInt16LE(header + 26)
  if (bytes.readUInt16LE(header + 8) !== entry.method) return 'the two headers name different methods'
  if (!bytes.subarray(header + 30, nameEnd).equals(entry.name)) return 'the two headers give different names'
  const hasDescriptor = (bytes.readUInt16LE(header + 6) & 8) !== 0
  const local = bytes.readUInt32LE(header + 18)
  if (!hasDescriptor && local !== unknown32 && local !== compressed && compressed < unknown32)
    return 'the two headers give different sizes'
  return null
}

/** The zip64 extra field holds, in order, those of the values that did not fit. */
function zip64Fields(extra: Buffer, values: readonly number[]): number[] {
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

/** An entry by its local header alone; it reaches to the next signature where its size is not stated. */
export function localEntryAt(bytes: Buffer, at: number, limit: number): ZipEntry | null {
  if (at + 30 > limit) return null
  const nameEnd = at + 30 + bytes.readUInt16LE(at + 26)
  const dataStart = nameEnd + bytes.readUInt16LE(at + 28)
  const method = bytes.readUInt16LE(at + 8)
  if (dataStart > limit || ![0, 8, 93].includes(method)) return null
  const flags = bytes.readUInt16LE(at + 6)
  const stated = bytes.readUInt32LE(at + 18)
  const hasSize = (flags & 8) === 0 && stated !== unknown32 && dataStart + stated <= limit
  return {
    name: Buffer.from(bytes.subarray(at + 30, nameEnd)),
    method,
    isEncrypted: (flags & 1) !== 0,
    crc: hasSize ? bytes.readUInt32LE(at + 14) : null,
    size: hasSize ? bytes.readUInt32LE(at + 22) : null,
    headerStart: at,
    dataStart,
    dataEnd: hasSize ? dataStart + stated : limit,
  }
}

export type Inflated =
  | { readonly bytes: Buffer; readonly problem?: ZipProblem }
  | { readonly bytes: null; readonly problem: ZipProblem }

/**
 * The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
 * encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
 */
export function inflateEntry(archive: Buffer, entry: ZipEntry, bound: number): Inflated {
  const data = archive.subarray(entry.dataStart, entry.dataEnd)
  if ((entry.size ?? 0) > bound)
    return { bytes: null, problem: { kind: 'limit', reason: 'over the size limit' } }
  const readings =
    entry.method === 0 ? [0] : entry.method === 8 || entry.method === 93 ? [entry.method] : [8, 0]
  const isUnusual = entry.isEncrypted || ![0, 8, 93].includes(entry.method)
  let problem: ZipProblem = { kind: 'corrupt', reason: 'the compressed data is corrupt' }
  for (const method of readings) {
    const read = decompressed(data, method, entry.size ?? 0, bound)
    if ('problem' in read) {
      problem = read.problem
      continue
    }
    const holds = entry.crc === null || crc32(read.bytes) === entry.crc
    if (holds) return read
    if (!isUnusual) return { ...read, problem: { kind: 'corrupt', reason: 'the checksum does not match' } }
  }
  if (entry.isEncrypted) return { bytes: null, problem: { kind: 'encrypted', reason: 'encrypted entry' } }
  if (isUnusual)
    return {
      bytes: null,
      problem: { kind: 'unsupported', reason: `unsupported compression method ${entry.method}` },
    }
  return { bytes: null, problem }
}

function decompressed(
  data: Buffer,
  method: number,
  size: number,
  bound: number,
): { bytes: Buffer } | { problem: ZipProblem } {
  if (method === 0) return { bytes: data }
  const options = { maxOutputLength: Math.max(1, bound), chunkSize: Math.min(bound, Math.max(64, size + 1)) }
  try {
    return { bytes: method === 93 ? zstdDecompressSync(data, options) : inflateRawSync(data, options) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { problem: { kind: 'limit', reason: 'over the size limit' } }
    return { problem: { kind: 'corrupt', reason: 'the compressed data is corrupt' } }
  }
}
