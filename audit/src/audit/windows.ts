import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { spend } from '../containers/budget.ts'
import type { Decompressor } from '../containers/container-format.ts'
import { inMemory, type Source } from '../containers/source.ts'
import type { Format } from '../formats/registry.ts'
import { exceptKnown } from '../model/collector.ts'
import { mayTell, scan } from '../search/scan.ts'
import type { Audit, Sourced } from './context.ts'

/** Content read in windows: a file by its name, or a part of a container whose format is known. */
export interface Windowed {
  readonly location: string
  readonly name?: string
  readonly format?: string
}

/** More than the surroundings that any reading of a hit takes into account. */
const before = 8192
const after = 32_768
const core = 4 * 1024 * 1024
const pieceBytes = 1024 * 1024

interface Windows {
  push(piece: Buffer): void
  end(): void
}

/** Scans bytes that come in pieces, in windows that overlap: every place is reported by one of them, with all around it. */
function createWindows(audit: Audit, { location, name = '', format: given }: Windowed, start = 0): Windows {
  const window = Buffer.allocUnsafe(before + core + after)
  let format: Pick<Format, 'name' | 'isText' | 'packsStrings'> | undefined =
    given === undefined ? undefined : { name: given, isText: false }
  let base = start
  let filled = 0
  let coreStart = 0
  const flush = (isLast: boolean) => {
    const bytes = window.subarray(0, filled)
    format ??= formatInWindows(audit, location, name, bytes)
    const coreEnd = isLast ? filled : filled - after
    const place = {
      location,
      format: format.name,
      isText: format.isText,
      isPacked: format.packsStrings === true,
    }
    const part = { ...place, bytes, base, core: { start: coreStart, end: coreEnd } }
    scan(audit, part)
    const kept = Math.max(0, coreEnd - before)
    window.copyWithin(0, kept, filled)
    base += kept
    filled -= kept
    coreStart = coreEnd - kept
  }
  return {
    push(piece) {
      audit.progress(location, piece.length)
      for (let taken = 0; taken < piece.length; ) {
        const count = piece.copy(window, filled, taken)
        taken += count
        filled += count
        if (filled === window.length) flush(false)
      }
    },
    end: () => flush(true),
  }
}

const tooLarge = 'too large to be read by its format: read as raw bytes'
const largestParsed = 36 * 1024 * 1024

/** Says whether a file is read in windows although it could be held in memory. */
export function isForWindows({ formats }: Audit, name: string, source: Source): boolean {
  return source.size > largestParsed && formats.formatOf(name, source.read(0, 65_536)).isReadWhole === true
}

/** Says whether neither its format nor its bytes make a file worth being held in memory: most large programs are clean. */
export function isClean(audit: Audit, name: string, source: Source): boolean {
  const head = source.read(0, 65_536)
  if (audit.formats.isSpecial(name, head) || audit.containers.isHead(name, head)) return false
  const memory = Buffer.allocUnsafe(core + after)
  for (let at = 0; at < source.size; at += core)
    if (mayTell(audit, source.read(at, at + memory.length, memory))) return false
  return true
}

/** Says whether a file is native code. */
export function isProgram({ formats }: Audit, name: string, source: Source): boolean {
  return formats.formatOf(name, source.read(0, 65_536)).packsStrings === true
}

function formatInWindows(
  { collector, containers, formats }: Audit,
  location: string,
  name: string,
  head: Buffer,
): Format {
  const format = formats.formatOf(name, head)
  const gap = containers.gap(inMemory(head), name)
  if (gap !== null) collector.gap(gap.kind, location, gap.reason)
  else if (containers.isHead(name, head))
    collector.gap('limit', location, 'a container too large to be opened here: read as raw bytes')
  else if (isLost(format, head)) collector.gap('limit', location, tooLarge)
  return format
}

/** Says whether bytes alone, in windows, do not tell what the format would. */
function isLost({ isReadWhole, read, packsStrings, mayHide }: Format, head: Buffer): boolean {
  const isByTable = read !== undefined && packsStrings !== true
  return isReadWhole === true || isByTable || mayHide?.(head) === true
}

/** Scans a stretch of a source without reading all of it into memory. */
export function auditWindows(
  audit: Audit,
  place: Windowed,
  source: Source,
  start: number,
  end: number,
): void {
  const windows = createWindows(audit, place, start)
  for (const piece of pieces(source, start, end, Buffer.allocUnsafe(pieceBytes))) windows.push(piece)
  windows.end()
}

/** Audits the bytes of a container that no entry accounts for. */
export function auditRest(
  audit: Audit,
  place: { readonly location: string; readonly format: string },
  source: Source,
  start: number,
  end: number,
): void {
  if (source.whole === undefined && end - start > pieceBytes) auditWindows(audit, place, source, start, end)
  else {
    scan(audit, { ...place, bytes: source.read(start, end), isText: false, base: start })
  }
}

function* pieces(source: Source, start: number, end: number, memory?: Buffer): Generator<Buffer> {
  for (let at = start; at < end; at += pieceBytes)
    yield source.read(at, Math.min(end, at + pieceBytes), memory)
}

/** Audits the bytes behind compressed data that is too large to be in memory. */
function auditBehind(audit: Audit, location: string, source: Source, start: number): void {
  if (start >= source.size) return
  auditRest(exceptKnown(audit), { location, format: 'compressed' }, source, start, source.size)
  if (audit.containers.mayBeOpened('', source.read(start, start + 65_536)))
    audit.collector.gap('limit', location, 'a container behind compressed data: too large to be opened')
}

/** Scans what comes out of a decompressor, up to a bound. `crc` is what its checksum has to be, where that is known. */
export async function auditStream(
  audit: Audit,
  { location, name, source }: Sourced,
  decompress: Decompressor,
  bound: number,
  crc: number | null = null,
): Promise<void> {
  const windows = createWindows(audit, { location, name })
  let isWhole = true
  let total = 0
  let sum = 0
  const input = Readable.from(pieces(source, 0, source.size))
  input.pipe(decompress)
  try {
    for await (const piece of decompress as AsyncIterable<Buffer>) {
      total += piece.length
      if (crc !== null) sum = crc32(piece, sum)
      windows.push(piece)
      if (total <= bound && spend(audit, piece.length)) continue
      audit.collector.gap('limit', location, 'over the size limit')
      isWhole = false
      break
    }
    if (crc !== null && total <= bound && sum !== crc)
      audit.collector.gap('corrupt', location, 'the checksum does not match')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    audit.collector.gap('corrupt', location, 'the compressed data is corrupt or cut off')
    isWhole = false
  } finally {
    input.destroy()
    decompress.destroy()
  }
  windows.end()
  audit.spent.entries += 1
  audit.spent.bytes += total
  if (isWhole) auditBehind(audit, location, source, decompress.bytesWritten)
}
