import { type Encoding, mixed, plain } from './encodings.ts'
import { isEndiannessDuplicate } from './endianness-duplicate.ts'
import { createEscapes, escapedPrefixes } from './escapes.ts'
import type { Needle } from './needles.ts'
import { inPlaceOf, unpacked } from './packed.ts'
import { reportDecoded, reportPlain, reportXored } from './report-key.ts'
import { reportJwt, reportMintCall } from './report-token.ts'
import type { ScanContext, Searcher } from './scan-context.ts'
import { createLookup, type Lookup } from './string-table.ts'
import { exactWindow, rawWindow, type ScannedFile, type Window } from './window.ts'

/** Places of a file that are looked at, and as many strings that contain them. */
const maxHits = 20_000
/** Places of all files of a path, however many files an archive has. */
const mostPlaces = 100_000
/** Compressed values that one file may have. */
const mostPacked = 256

interface Hit extends Omit<Needle, 'bytes'> {
  readonly offset: number
  /** In bytes. */
  readonly length: number
}

/** Everything that one pass over the bytes of a file has found. */
export interface Hits {
  readonly hits: readonly Hit[]
  readonly packed: readonly (readonly [offset: number, encoding: Encoding])[]
  readonly xored: readonly (readonly [offset: number, key: number])[]
  /** Places at which a character of the prefix is escaped. */
  readonly escapes: readonly number[]
  /** There was more than is looked at. */
  readonly isFlood: boolean
  /** Something from which a script may put a key, a token or a call together. */
  readonly mayBePieced: boolean
  /** The comment before an inline source map. */
  readonly hasMap: boolean
  readonly mayBeObfuscated: boolean
  readonly isEmpty: boolean
}

/** Searches all of the bytes once; nothing is judged. */
export function findHits(searcher: Searcher, { bytes, core }: Pick<ScannedFile, 'bytes' | 'core'>): Hits {
  const hits: Hit[] = []
  const packed: [offset: number, encoding: Encoding][] = []
  const xored: [offset: number, key: number][] = []
  const escapes = createEscapes()
  const seen = new Set<Needle['wanted']>()
  let isFlood = false
  const keep = <T>(list: T[], offset: number, item: T) => {
    if (!isInCore(core, offset)) return
    if (list.length < maxHits) list.push(item)
    else isFlood = true
  }
  searcher.search(bytes, {
    needle: (offset, needle) => {
      const { wanted } = needle
      if (wanted === 'piece' || wanted === 'map' || wanted === 'obfuscator') seen.add(wanted)
      else if (wanted === 'gzip') keep(packed, offset, [offset, needle.encoding])
      else keep(hits, offset, { ...needle, offset, length: needle.bytes.length })
    },
    xored: (offset, key) => keep(xored, offset, [offset, key]),
    escape: (offset) => escapes.add(offset),
  })
  hits.sort((a, b) => a.offset - b.offset)
  packed.sort(([a], [b]) => a - b)
  return {
    hits,
    packed,
    xored,
    escapes: escapes.all,
    isFlood,
    mayBePieced: seen.has('piece') || hits.length + escapes.all.length > 0,
    hasMap: seen.has('map'),
    mayBeObfuscated: seen.has('obfuscator'),
    isEmpty: hits.length + packed.length + xored.length + escapes.all.length + seen.size === 0,
  }
}

/** Says whether there is a place to look at; what scripts and maps are read for is in many other files. */
export function mayTell(audit: ScanContext, bytes: Buffer): boolean {
  const { hits, packed, xored, escapes } = findHits(audit.searcher, { bytes })
  const isMixed = () => escapedPrefixes(audit, bytes, escapes).next().done !== true
  return hits.length + packed.length + xored.length > 0 || isMixed()
}

/**
 * Looks around every place that was found in the bytes. More places than are looked at are a gap.
 * @returns whether the table was asked for
 */
export function scan(
  audit: ScanContext,
  file: ScannedFile,
  found: Hits = findHits(audit.searcher, file),
): boolean {
  if (found.isFlood) tooMany(audit, file)
  if (found.isEmpty) return false
  const all = [...found.hits, ...mixedIn(audit, file, found.escapes)]
  if (all.length > 0) lookAround(audit, file, all)
  for (const [offset, key] of found.xored) {
    if (++audit.spent.places > mostPlaces) {
      tooMany(audit, file)
      break
    }
    reportXored(audit, file, offset, key)
  }
  if (file.isUnpacked !== true) lookInside(audit, file, found.packed)
  return all.length > 0
}

function lookAround(audit: ScanContext, file: ScannedFile, hits: readonly Hit[]): void {
  const find = lookupOf(file, hits)
  let looked = 0
  for (const hit of hits)
    for (const window of windowsAt(file, find, hit)) {
      if (window === null || ++looked > maxHits || ++audit.spent.places > mostPlaces) {
        tooMany(audit, file)
        return
      }
      interpret(audit, file, window, hit)
    }
}

/** Values of one text are one: a head inside of it is a part of its data. */
function lookInside(audit: ScanContext, file: ScannedFile, found: Hits['packed']): void {
  let done = 0
  let opened = 0
  for (const [offset, encoding] of found) {
    if (offset < done) continue
    if (++opened > mostPacked) {
      tooMany(audit, file)
      return
    }
    const value = unpacked(file.bytes, offset, encoding)
    if (value === null) continue
    done = value.end
    const inner = { location: '', format: '', bytes: value.bytes, isText: true, isUnpacked: true }
    scan(inPlaceOf(audit, file, value), inner)
  }
}

/** Prefixes of which some characters are escaped, as many of them as are looked at. */
function mixedIn(audit: ScanContext, file: ScannedFile, escapes: readonly number[]): Hit[] {
  const hits: Hit[] = []
  for (const stretch of escapedPrefixes(audit, file.bytes, escapes)) {
    if (!isInCore(file.core, stretch.offset)) continue
    if (hits.length === maxHits) {
      tooMany(audit, file)
      return hits
    }
    const spelling = { text: '', phase: 0 }
    hits.push({ ...stretch, wanted: 'key', view: 'utf-8', encoding: mixed, spelling })
  }
  return hits
}

function tooMany(audit: ScanContext, { location }: ScannedFile): void {
  audit.collector.gap('limit', location, 'more places to look at than the limits allow')
}

function isInCore(core: ScannedFile['core'], offset: number): boolean {
  return core === undefined || (offset >= core.start && offset < core.end)
}

const nowhere: Lookup = () => ({ extents: [], isTorn: false, isMisread: false })

function lookupOf({ table }: ScannedFile, hits: readonly Hit[]): Lookup {
  const read = table?.(hits.map(({ offset, length }) => ({ start: offset, end: offset + length })))
  return read === undefined ? nowhere : createLookup(read)
}

/** One after the other, since all of them may be of one long text; `null` where finding them costs too much. */
function* windowsAt(
  file: ScannedFile,
  find: Lookup,
  { offset, length, encoding, view }: Hit,
): Generator<Window | null> {
  const found = find(offset, offset + length, view)
  if (found === null) {
    yield null
    return
  }
  const exact = found.extents.filter(
    (extent) => extent.view === view && (view === 'utf-8' || (offset - extent.start) % 2 === 0),
  )
  const seen = new Set<string>()
  for (const extent of exact) {
    const place = `${extent.start} ${extent.end}`
    // A table may have one string many times.
    if (exact.length > 1 && seen.has(place)) continue
    seen.add(place)
    yield exactWindow(file.bytes, extent, offset)
  }
  if (exact.length > 0 || found.isMisread) return
  if (encoding === plain && isEndiannessDuplicate(file.bytes, offset, view)) return
  yield { ...rawWindow(file.bytes, offset, view), isTorn: found.isTorn }
}

function interpret(audit: ScanContext, file: ScannedFile, window: Window, hit: Hit): void {
  const { wanted, encoding, spelling } = hit
  const decoded = encoding === plain ? window : decodedIn(window, encoding, spelling)
  if (decoded === null) return
  if (wanted === 'jwt') reportJwt(audit, file, decoded)
  else if (wanted === 'mint-path') reportMintCall(audit, file, decoded)
  else if (encoding === plain) reportPlain(audit, file, window)
  else reportDecoded(audit, file, { window, decoded, encoding })
}

/** The text that a window has in an encoding: all of it is at the place of the hit. */
function decodedIn(window: Window, encoding: Encoding, spelling: Needle['spelling']): Window | null {
  const undone = encoding.undo(window.text, window.at, spelling)
  if (undone === null) return null
  const offset = window.offsetOf(window.at)
  return { ...window, ...undone, offsetOf: () => offset, decoder: encoding.name }
}
