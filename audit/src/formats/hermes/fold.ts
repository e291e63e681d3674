import { OverEffort, ofScript, partOf, pay } from '../../model/effort.ts'
import { keyRule } from '../../model/rules.ts'
import { keyAt } from '../../scan/key-candidate.ts'
import { type ScanContext, stepsOfCandidate } from '../../scan/scan-context.ts'
import type { FormatFile } from '../audited-format.ts'
import { codeOf, createLook, type HermesCode, type Worth } from './code.ts'
import { functionsIn } from './functions.ts'
import { instructionsOf } from './instructions.ts'
import { type Made, textsMadeBy } from './run.ts'
import { type Layout, layoutOf, stringAt } from './tables.ts'

/** Members by which a function can make a text that is nowhere as it is. */
const makers = ['fromCharCode', 'fromCodePoint', 'reverse', 'atob'].map((name) => Buffer.from(name))

/**
 * Reports the keys that a function of Hermes bytecode puts together from constants. Functions that have no piece of a
 * prefix, and nothing that makes characters, are passed by.
 */
export function foldHermes(audit: ScanContext, file: FormatFile): void {
  const layout = layoutIn(audit, file)
  const code = layout === null ? null : codeOf(file.bytes, layout)
  if (layout === null || code === null) return
  const own = partOf(audit.effort, ofScript(file.bytes.length))
  try {
    foldFunctions({ ...audit, effort: own }, file, layout, code)
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
    audit.collector.gap(
      'limit',
      file.location,
      'not completely folded: its functions cost more than the limits allow',
    )
  }
}

/** `null`, and a gap, where the tables of a known version do not parse: then the bytes are all that is read. */
function layoutIn({ collector }: ScanContext, { location, format, bytes }: FormatFile): Layout | null {
  try {
    return layoutOf(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    if (bytes.length > 12 && instructionsOf(bytes.readUInt32LE(8)) !== null)
      collector.gap('fallback', location, `read as raw bytes: its ${format} tables do not parse`)
    return null
  }
}

function foldFunctions(audit: ScanContext, file: FormatFile, layout: Layout, code: HermesCode): void {
  const { effort, prefix } = audit
  pay(effort, layout.strings)
  const worth = worthIn(file.bytes, layout, prefix)
  if (worth === null) return
  const isWorth = createLook(code, worth)
  for (const one of functionsIn(file.bytes, layout)) {
    // Functions share their code at most with others that begin elsewhere, which no compiler writes.
    pay(effort, (one.end - one.start) / bytesInStep)
    if (!isWorth(one)) continue
    for (const made of textsMadeBy(code, one, prefix, effort)) reportMade(audit, file, made)
  }
}

const bytesInStep = 4

/** `null` where no string of a file makes any function worth it. */
function worthIn(bytes: Buffer, layout: Layout, prefix: string): Worth | null {
  const strings = new Uint8Array(layout.strings)
  const members = new Uint8Array(layout.strings)
  const isPiece = createPieceLook(bytes, prefix)
  let isAny = false
  for (let index = 0; index < layout.strings; index++) {
    const { start, end } = stringAt(bytes, layout, index) ?? nowhere
    if (end > layout.storageEnd || start >= end) continue
    if (isPiece(start, end)) strings[index] = 1
    else if (makers.some((name) => isAt(bytes, name, start, end))) members[index] = 1
    else continue
    isAny = true
  }
  return isAny ? { strings, members } : null
}

const nowhere = { start: 0, end: 0 }

function isAt(bytes: Buffer, text: Buffer, start: number, end: number): boolean {
  return (
    end - start === text.length &&
    bytes[start] === text[0] &&
    bytes.compare(text, 0, text.length, start, end) === 0
  )
}

/**
 * Creates a look that says whether a key may begin in a string and go on in another one. The first
 * ends with at least two characters of the prefix, is its first character alone, or contains it.
 */
function createPieceLook(bytes: Buffer, prefix: string): (start: number, end: number) => boolean {
  const whole = Buffer.from(prefix)
  const isIn = createPlaces(bytes, whole)
  return (start, end) => {
    if (end - start === 1) return bytes[start] === whole[0]
    for (let length = Math.min(whole.length, end - start); length >= 2; length--)
      if (bytes[end - 1] === whole[length - 1] && isAt(bytes, whole.subarray(0, length), end - length, end))
        return true
    return isIn(start, end)
  }
}

/**
 * Creates a look that says whether a stretch has a text in it, without reading the stretch. Strings may
 * overlap, and each may be as long as the file.
 */
function createPlaces(bytes: Buffer, text: Buffer): (start: number, end: number) => boolean {
  const places: number[] = []
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at)
  return (start, end) => {
    let low = 0
    for (let high = places.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((places[middle] ?? 0) < start) low = middle + 1
      else high = middle
    }
    return (places[low] ?? Number.POSITIVE_INFINITY) + text.length <= end
  }
}

function reportMade(
  { collector, effort, prefix, leastSuffix }: ScanContext,
  { location, format }: FormatFile,
  { text, offset }: Made,
): void {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    pay(effort, stepsOfCandidate)
    const { secret, shape, next } = keyAt(text, at, prefix, leastSuffix)
    const rule = keyRule('folded', shape)
    if (rule === null || rule.kind === 'identifier' || collector.has(location, secret)) continue
    if (shape === 'bare' && next !== '') continue
    collector.report({ ...rule, location, format, offset, decoder: 'folded', secret, show: prefix })
  }
}
