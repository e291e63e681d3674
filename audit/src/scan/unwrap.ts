import { exceptKnown } from '../model/collector.ts'
import { pay } from '../model/effort.ts'
import { columnOf } from './column.ts'
import { scan } from './scan.ts'
import type { ScanContext } from './scan-context.ts'
import { lineOf, type ScannedFile } from './scanned-file.ts'
import type { Stretch } from './stretches.ts'
import { createIndex, type Extent, type StringTable } from './string-table.ts'
import { unmaskedTokens } from './unmasked-tokens.ts'
import { textOf, unitOf } from './window.ts'
import { type Unwrapped, unwrappedValues } from './wrapped-values.ts'

/** Encodings that may be around each other. */
const deepest = 2
/** Steps for each byte that is searched or decoded. */
const stepsOfByte = 0.2

/** Looks through encodings, also around each other, for what is looked for in plain bytes. */
export function scanWrapped(audit: ScanContext, file: ScannedFile): void {
  const { core = { start: 0, end: file.bytes.length } } = file
  let table: Indexed | undefined | null = null
  for (const value of unwrappedValues(file.bytes, { isNarrow: file.isText })) {
    if (value.start < core.start || value.start >= core.end) continue
    if (!isWorthScan(audit, value)) continue
    if (table === null) table = indexed(audit, file.table?.())
    for (const one of valuesIn(file, table, value)) scanValue(inPlaceOf(audit, file, one), one.bytes, 1)
  }
}

/** Looks for the same in values that the format itself tells apart, such as the arrays of its code. */
export function scanValues(audit: ScanContext, file: ScannedFile, values: Iterable<Unwrapped>): void {
  for (const value of values)
    if (isWorthScan(audit, value)) scanValue(inPlaceOf(audit, file, value), value.bytes, 1)
}

function isWorthScan(audit: ScanContext, { bytes }: Unwrapped): boolean {
  pay(audit.effort, Math.ceil(bytes.length * stepsOfByte))
  return isTelling(audit, bytes, 1)
}

/** Says whether a scan would look at anything in a value, or in the values inside it. */
export function holdsWrapped(audit: Pick<ScanContext, 'searcher'>, bytes: Buffer, depth = 0): boolean {
  if (depth === deepest) return false
  for (const inner of unwrappedValues(bytes)) if (isTelling(audit, inner.bytes, depth + 1)) return true
  return false
}

function isTelling(audit: Pick<ScanContext, 'searcher'>, bytes: Buffer, depth: number): boolean {
  let isFound = false
  const found = () => {
    isFound = true
  }
  audit.searcher.search(bytes, { needle: found, xored: found, escape: () => {} })
  return isFound || unmaskedTokens(bytes).next().done === false || holdsWrapped(audit, bytes, depth)
}

/** A table in which each value of a file is looked up. */
interface Indexed {
  stringsBeside(value: Stretch): Extent[]
  /** Says whether the table knows every string there. */
  isKnown(value: Stretch): boolean
}

function indexed(audit: ScanContext, table: StringTable | undefined): Indexed | undefined {
  if (table === undefined) return undefined
  const { extents, regions } = table
  const lookedAt = createIndex(extents)
  return {
    stringsBeside({ start, end }) {
      const beside: Extent[] = []
      for (const extent of lookedAt(start, end)) {
        pay(audit.effort, 1)
        if (extent.end > start) beside.push(extent)
      }
      return beside.reverse()
    },
    isKnown(value) {
      pay(audit.effort, regions.length)
      return regions.some(({ start, end }) => start < value.end && end > value.start)
    },
  }
}

/** Strings may lie back to back: where a table says how they end, each is a value of its own. */
function* valuesIn(
  { bytes }: ScannedFile,
  table: Indexed | undefined,
  value: Unwrapped,
): Generator<Unwrapped> {
  const extents = table?.stringsBeside(value) ?? []
  if (extents.length === 0 && table?.isKnown(value) !== true) yield value
  for (const extent of extents) yield* valuesOf(bytes, extent)
}

function* valuesOf(bytes: Buffer, { start, end, view }: Extent): Generator<Unwrapped> {
  const unit = unitOf(view)
  const text =
    unit === 1 ? bytes.subarray(start, end) : Buffer.from(textOf(bytes.subarray(start, end), view), 'latin1')
  for (const value of unwrappedValues(text))
    yield { ...value, start: start + value.start * unit, end: start + value.end * unit }
}

function scanValue(audit: ScanContext, bytes: Buffer, depth: number): void {
  const scanPlain = (plain: Buffer) => scan(audit, { location: '', format: '', bytes: plain, isText: true })
  scanPlain(bytes)
  for (const plain of unmaskedTokens(bytes)) scanPlain(plain)
  if (depth === deepest) return
  for (const inner of unwrappedValues(bytes)) scanValue(audit, inner.bytes, depth + 1)
}

const encodedRules: Readonly<Record<string, string>> = { 'AUD-001': 'AUD-006', 'AUD-002': 'AUD-006' }

/** Reports what is found in a value at the place of the value, unless it was found there without decoding it. */
function inPlaceOf(audit: ScanContext, file: ScannedFile, { start, encoding }: Unwrapped): ScanContext {
  const known = exceptKnown(audit)
  const { location, format, base = 0 } = file
  const isCounted = file.isText && base === 0
  const line = isCounted ? { line: lineOf(file.bytes, start), column: columnOf(file.bytes, start) } : {}
  const place = { location, format, offset: base + start, decoder: encoding, ...line }
  return {
    ...audit,
    collector: {
      ...audit.collector,
      gap: (kind, _, reason) => audit.collector.gap(kind, location, reason),
      report({ line: _line, column: _column, ...sighting }) {
        if (sighting.kind === 'identifier') return
        known.collector.report({
          ...sighting,
          ...place,
          rule: encodedRules[sighting.rule] ?? sighting.rule,
        })
      },
    },
  }
}
