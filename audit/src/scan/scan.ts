import { OverEffort, pay } from '../model/effort.ts'
import { isEndiannessDuplicate } from './endianness-duplicate.ts'
import { createEscapes, type Escapes, escapedPrefixes } from './escapes.ts'
import type { Needle } from './needles.ts'
import { reportDecoded, reportPlain, reportXored } from './report-key.ts'
import { reportJwt, reportMintCall } from './report-token.ts'
import { type ScanContext, stepsOfCandidate } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { createLookup, type Lookup } from './string-table.ts'
import { exactWindow, rawWindow, type Window } from './window.ts'

/** Places to look at, and as many strings that contain them. */
const maxHits = 20_000

interface Hit extends Omit<Needle, 'bytes'> {
  readonly offset: number
  /** In bytes. */
  readonly length: number
}

/**
 * Looks for every form in all of the bytes. What costs more than it may is a gap.
 * @returns whether the table was asked for
 */
export function scan(audit: ScanContext, file: ScannedFile): boolean {
  const { hits, xored, escapes, isFlood } = search(audit, file)
  if (isFlood) tooMany(audit, file)
  if (hits.length + xored.length + escapes.length === 0) return false
  let isTableRead = false
  try {
    const all = [...hits, ...mixed(audit, file, escapes)]
    isTableRead = all.length > 0
    if (isTableRead) lookAround(audit, file, all)
    pay(audit.effort, stepsOfCandidate * xored.length)
    for (const [offset, key] of xored) reportXored(audit, file, offset, key)
  } catch (error) {
    if (!(error instanceof OverEffort)) throw error
    tooMany(audit, file)
  }
  return isTableRead
}

function lookAround(audit: ScanContext, file: ScannedFile, hits: readonly Hit[]): void {
  const find = lookupOf(file)
  let looked = 0
  for (const hit of hits)
    for (const window of windowsAt(file, find, hit)) {
      if (window === null || ++looked > maxHits) {
        tooMany(audit, file)
        return
      }
      pay(audit.effort, stepsOfCandidate)
      interpret(audit, file, window, hit)
    }
}

/** Prefixes of which some characters are escaped, as many of them as are looked at. */
function mixed(audit: ScanContext, file: ScannedFile, escapes: readonly Escapes[]): Hit[] {
  const hits: Hit[] = []
  for (const some of escapes)
    for (const stretch of escapedPrefixes(audit, file.bytes, some)) {
      if (!isInCore(file, stretch.offset)) continue
      if (hits.length === maxHits) {
        tooMany(audit, file)
        return hits
      }
      hits.push({ ...stretch, form: 'escaped', view: some.view, phase: 0 })
    }
  return hits
}

function tooMany(audit: ScanContext, { location }: ScannedFile): void {
  audit.collector.gap('limit', location, 'more places to look at than the limits allow')
}

function isInCore({ core }: ScannedFile, offset: number): boolean {
  return core === undefined || (offset >= core.start && offset < core.end)
}

function search(audit: ScanContext, file: ScannedFile) {
  const hits: Hit[] = []
  const xored: [offset: number, key: number][] = []
  const escapes = createEscapes()
  let isFlood = false
  const keep = <T>(list: T[], offset: number, item: T) => {
    if (!isInCore(file, offset)) return
    if (list.length < maxHits) list.push(item)
    else isFlood = true
  }
  audit.searcher.search(file.bytes, {
    needle: (offset, { bytes, form, view, phase }) => {
      if (form === 'escaped') escapes.add(offset, view)
      else keep(hits, offset, { offset, length: bytes.length, form, view, phase })
    },
    xored: (offset, key) => keep(xored, offset, [offset, key]),
    escape: (offset) => escapes.add(offset, 'utf-8'),
  })
  return {
    hits: hits.sort((a, b) => a.offset - b.offset),
    xored,
    escapes: [...escapes.groups.values()],
    isFlood,
  }
}

const nowhere: Lookup = () => ({ extents: [], isTorn: false, isMisread: false })

function lookupOf({ table }: ScannedFile): Lookup {
  const read = table?.()
  return read === undefined ? nowhere : createLookup(read)
}

/** One after the other, since all of them may be of one long text; `null` where finding them costs too much. */
function* windowsAt(
  file: ScannedFile,
  find: Lookup,
  { offset, length, form, view }: Hit,
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
  if ((form === 'plain' || form === 'escaped') && isEndiannessDuplicate(file.bytes, offset, view)) return
  yield { ...rawWindow(file.bytes, offset, view), isTorn: found.isTorn }
}

function interpret(audit: ScanContext, file: ScannedFile, window: Window, { form, phase }: Hit): void {
  if (form === 'jwt') reportJwt(audit, file, window)
  else if (form === 'mint-path') reportMintCall(audit, file, window)
  else if (form === 'plain') reportPlain(audit, file, window)
  else reportDecoded(audit, file, window, form, phase)
}
