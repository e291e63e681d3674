import { OverEffort, ofScript, partOf, pay } from '../model/effort.ts'
import { isComparedFrom, mentionOf } from '../model/mention.ts'
import { hole, isMintAddress, type MintCall, mintCallAt } from '../model/mint-call.ts'
import { keyRule } from '../model/rules.ts'
import { columnOf } from '../scan/column.ts'
import { keyAt } from '../scan/key-candidate.ts'
import { reportCall, reportToken } from '../scan/report-token.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { stepsOfCandidate } from '../scan/scan-context.ts'
import { lineOf } from '../scan/scanned-file.ts'
import { tokensIn } from '../scan/tokens-in.ts'
import { wholeTextOf } from '../scan/whole-text.ts'
import { holdsMintPath } from './clues/clues.ts'
import { fragmentsOf } from './clues/fragments.ts'
import { decodesSwapped, fromSwapped, obfuscatorOf } from './clues/obfuscated.ts'
import { scriptOfAddress } from './clues/script-addresses.ts'
import { isAddress } from './evaluate/http-clients.ts'
import { foldStrings } from './fold-strings.ts'
import { ownHost, type Request } from './mint-requests.ts'
import { withEvalsInlined } from './parse/inline-evals.ts'
import { parseScript } from './parse/parse-script.ts'
import { isTooLargeForTree } from './parse/parser-memory.ts'

export interface ScriptText {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** Where the script begins in its file. */
  readonly base: number
  /** Where the lines of the file begin to count, for a script that is a part of it. */
  readonly file?: Buffer | undefined
  /** True where the file is certainly a script, so that it has to parse. */
  readonly isCertain?: boolean
}

/** How many scripts a script is a string of. */
const deepest = 3
const largest = 24 * 1024 * 1024

/**
 * Folds the constants of a script, and of the scripts that are among them and worth it: one after the other, since the
 * tree of each takes much memory. What costs more than it may is a gap, and nothing else of the file is lost by it.
 */
export function foldScript(audit: ScanContext, script: ScriptText): void {
  const { collector, effort } = audit
  const { location, bytes } = script
  if (bytes.length > largest) {
    collector.gap('limit', location, 'a script too large for its constants to be folded')
    return
  }
  const own = partOf(effort, ofScript(bytes.length))
  try {
    const seen = new Set<string>()
    let codes = foldOne({ ...audit, effort: own }, script)
    for (let depth = 1; codes.length > 0; depth++) {
      const isNew = codes.filter(({ text }) => !seen.has(text) && seen.add(text) !== undefined)
      if (depth > deepest && isNew.length > 0) {
        collector.gap('limit', location, `scripts more than ${deepest} deep in the strings of others`)
        break
      }
      codes = isNew.flatMap(({ text, base }) =>
        foldOne({ ...audit, effort: own }, { ...script, bytes: Buffer.from(text), base, isCertain: false }),
      )
    }
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
    collector.gap('limit', location, costly)
  }
}

const costly = 'not completely folded: its expressions cost more than the limits allow'

const shareOfFolding = 0.75

/** The cost of reading at all, however short a script is: a file may have, or be, a hundred thousand. */
const stepsOfScript = 10_000

/** A string that a script runs, and where it is in the file. */
interface Code {
  readonly text: string
  readonly base: number
}

/** @returns the scripts in its strings that are worth being folded */
function foldOne(audit: ScanContext, script: ScriptText): Code[] {
  const { collector, prefix, effort } = audit
  const { location, bytes, base, isCertain = true } = script
  pay(effort, stepsOfScript)
  const text = bytes.toString('utf8')
  const obfuscator = obfuscatorOf(text)
  if (obfuscator !== null)
    collector.gap(
      'obfuscated',
      location,
      `a script obfuscated by ${obfuscator}, whose strings are decoded when it runs`,
    )
  const inlined = withEvalsInlined(text)
  const whole = inlined === null ? null : parseScript(inlined, prefix, effort)
  const isInlined = whole !== null && !whole.isPartial
  const parsed = isInlined ? whole : parseScript(text, prefix, effort)
  if ((parsed === null || parsed.isPartial) && isCertain && !isTooLargeForTree(text))
    collector.gap('fallback', location, 'not completely folded: it does not parse as JavaScript')
  if (parsed === null) return []
  if (parsed.isCut)
    collector.gap(
      'limit',
      location,
      'a script with more expressions than can be folded: not completely folded',
    )
  const { placeOf } = parsed
  // The rest is for what is found.
  const folding = partOf(effort, { steps: effort.steps * shareOfFolding, bytes: effort.bytes })
  const { strings, bases, requests, isWhole } = foldStrings({ ...parsed, prefix }, folding, {
    hasPath: holdsMintPath(text),
  })
  if (!isWhole) collector.gap('limit', location, costly)
  const address = bases.find(
    (address) => audit.mintHost !== undefined && isMintAddress(address, audit.mintHost),
  )
  const isShown = createCover(requests.filter(isKnown))
  const offsetOf = createOffsets(text, bytes)
  const codes: Code[] = []
  const isSwapped = decodesSwapped(text)
  for (const { value: written, start, isCode } of strings) {
    const value = (isSwapped ? fromSwapped(written) : null) ?? written
    const offset = () => base + offsetOf(placeOf(start))
    const inAddress = value.startsWith('data:') ? scriptOfAddress(value) : null
    if (inAddress !== null) {
      pay(effort, value.length * 4, value.length * 2)
      if (fragmentsOf(prefix).inBytes(Buffer.from(inAddress))) codes.push({ text: inAddress, base: offset() })
    }
    if (isCode) {
      pay(effort, value.length, value.length)
      if (fragmentsOf(prefix).inBytes(Buffer.from(value))) codes.push({ text: value, base: offset() })
    }
    if (!value.includes(prefix) && !/calling\/token|e[wy]/.test(value)) continue
    const isMentioned = isMentionedAt(text, placeOf(start), value, script)
    reportFolded(audit, script, { value, address: isShown(start) ? undefined : address, isMentioned }, offset)
  }
  for (const { address: called, start } of requests) {
    const value = called.startsWith(ownHost) ? called.slice(ownHost.length) : called
    const isMentioned = isMentionedAt(text, placeOf(start), value, script)
    reportFolded(
      audit,
      script,
      { value, address: undefined, isMentioned },
      () => base + offsetOf(placeOf(start)),
    )
  }
  return codes
}

/** Says whether a script compares the text at a place, or has it in a sentence. An argument is neither. */
export function isMentionedAt(
  text: string,
  place: number,
  value: string,
  { location, format, bytes }: ScriptText,
): boolean {
  const inValue = value.indexOf('v1/calling/token')
  if (inValue === -1) return false
  const whole = () => wholeTextOf(bytes)
  if (!text.startsWith(value, place + 1)) return isComparedFrom(text, place, whole)
  const call = mintCallAt(text, place + 1 + inValue, undefined)
  if (call === null) return false
  return mentionOf({ text, ...call, isWhole: true, location, format }, whole) !== null
}

/** Makes a function that says whether a place is in one of many stretches. */
function createCover(stretches: readonly Pick<Request, 'start' | 'end'>[]): (place: number) => boolean {
  const sorted = stretches.toSorted((a, b) => a.start - b.start)
  const reach = new Float64Array(sorted.length)
  for (const [at, { end }] of sorted.entries()) reach[at] = Math.max(end, reach[at - 1] ?? 0)
  return (place) => {
    let low = 0
    for (let high = sorted.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((sorted[middle]?.start ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return low > 0 && (reach[low - 1] ?? 0) > place
  }
}

/** Says whether the script shows the host of a request. */
function isKnown({ address }: Request): boolean {
  return (isAddress(address) || address.startsWith(ownHost)) && !address.includes(hole)
}

const stretch = 4096

/** Where in its bytes a character of a text is. Stretches of it are counted once. */
export function createOffsets(text: string, bytes: Buffer): (at: number) => number {
  if (text.length === bytes.length) return (at) => at
  const counted = [0]
  const bytesIn = (from: number, to: number) => {
    let count = 0
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      // A pair of surrogates is four bytes together.
      count += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
    }
    return count
  }
  return (at) => {
    const index = Math.floor(at / stretch)
    while (counted.length <= index) {
      const last = counted.length - 1
      counted.push((counted[last] ?? 0) + bytesIn(last * stretch, (last + 1) * stretch))
    }
    return (counted[index] ?? 0) + bytesIn(index * stretch, at)
  }
}

interface Folded {
  readonly value: string
  readonly address: string | undefined
  /** True where the script has it in a comparison or in a sentence. */
  readonly isMentioned: boolean
}

export function reportFolded(
  audit: ScanContext,
  { location, format, bytes, file = bytes }: ScriptText,
  { value, address, isMentioned }: Folded,
  offsetIn: () => number,
): void {
  const where = () => {
    const offset = offsetIn()
    const place = { line: lineOf(file, offset), column: columnOf(file, offset) }
    return { location, format, offset, decoder: 'folded', ...place }
  }
  for (let at = value.indexOf(audit.prefix); at !== -1; at = value.indexOf(audit.prefix, at + 1)) {
    pay(audit.effort, stepsOfCandidate)
    const { secret, shape, next } = keyAt(value, at, audit.prefix, audit.leastSuffix)
    const rule = keyRule('folded', shape)
    if (rule === null || audit.collector.has(location, secret) || rule.kind === 'identifier') continue
    if (shape === 'bare' && next !== '' && next !== hole) continue
    audit.collector.report({ ...rule, ...where(), secret, show: audit.prefix })
  }
  const isNew = ({ url }: MintCall) => !audit.collector.has(location, url)
  const at = value.indexOf('v1/calling/token')
  const read = at === -1 || isMentioned ? null : mintCallAt(value, at, audit.mintHost)
  // A client with the mint's address as its base calls it by the path alone.
  const isJoined = read?.target === 'relative' && address !== undefined
  const call = isJoined ? { ...read, url: new URL(read.url, address).href, target: 'mint' as const } : read
  if (call !== null && (call.target === 'interpolated' || isNew(call))) reportCall(audit, call, where())
  for (const jwt of tokensIn(value)) {
    pay(audit.effort, stepsOfCandidate + jwt.length)
    if (!audit.collector.has(location, jwt)) reportToken(audit, jwt, where())
  }
}
