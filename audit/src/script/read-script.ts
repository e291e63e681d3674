import { isComparedFrom } from '../model/mention.ts'
import { hole, mintCallAt, versionedPath } from '../model/mint-call.ts'
import { keyRule } from '../model/rules.ts'
import { hostBeside, nameBefore, tokensIn, wholeTextOf } from '../search/around.ts'
import { columnOf, lineOf } from '../search/column.ts'
import { keyAt } from '../search/key-candidate.ts'
import { reportCall, reportToken } from '../search/report-token.ts'
import type { ScanContext } from '../search/scan-context.ts'
import type { FoldedText } from './fold.ts'

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

/** Bytes of a script whose tree there is memory for. */
const largest = 10 * 1024 * 1024

/**
 * Folds the constants of a script with a piece of a key or a mint call; the parser is loaded for the first of them.
 * Where no key comes of a piece, the piece is a warning.
 */
export async function readScript(audit: ScanContext, script: ScriptText): Promise<void> {
  const { collector, gate, prefix } = audit
  const { location, bytes } = script
  const text = bytes.toString('utf8')
  const piece = gate.pieceIn(text)
  if (piece === -1 && !gate.holdsMore(text) && !collector.has(location, prefix)) return
  const isExplained =
    bytes.length > largest ? reportTooLarge(audit, script) : await foldScript(audit, script, text)
  if (piece === -1 || isExplained) return
  const where = whereIn(script, script.base + createOffsets(text, bytes)(piece))
  const level = 'warning'
  collector.report({
    rule: 'AUD-004',
    kind: 'prefix',
    level,
    ...where,
    decoder: 'pieces',
    secret: prefix,
    show: prefix,
  })
}

function reportTooLarge({ collector }: ScanContext, { location }: ScriptText): false {
  collector.gap('limit', location, 'a script too large for its constants to be folded')
  return false
}

/** @returns whether the script puts a key or a name together, so that nothing is left to say about a piece */
async function foldScript(audit: ScanContext, script: ScriptText, text: string): Promise<boolean> {
  const { collector } = audit
  const { location, bytes, base, isCertain = true } = script
  const { texts, problem } = await audit.reader.fold(text)
  if (problem === 'unparsed') {
    if (isCertain)
      collector.gap('fallback', location, 'not completely folded: it does not parse as JavaScript')
  } else if (problem !== null) collector.gap('limit', location, `not completely folded: ${reasons[problem]}`)
  const offsetOf = createOffsets(text, bytes)
  const isKnown = texts.map((folded) => {
    // A template without a hole is a literal, which was read as it is.
    const isLiteral = text.startsWith(folded.text, folded.start + 1)
    return !isLiteral && reportFolded(audit, { ...script, text }, folded, () => base + offsetOf(folded.start))
  })
  return isKnown.includes(true)
}

/** @returns whether it is, or begins with, a key or a name */
function reportFolded(
  audit: ScanContext,
  script: ScriptText & { readonly text: string },
  { text, start, isGuess }: FoldedText,
  offsetIn: () => number,
): boolean {
  const { collector, prefix, leastSuffix, mintHost } = audit
  const { location, bytes, file = bytes } = script
  const where = () => whereIn(script, offsetIn())
  let isKnown = false
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    const { secret, shape, next } = keyAt(text, at, prefix, leastSuffix)
    const rule = keyRule('folded', shape)
    if (rule === null || (shape === 'bare' && next !== '')) continue
    if (fileEnding.test(text.slice(at + secret.length))) continue
    isKnown ||= shape !== 'bare'
    if (rule.kind === 'identifier' || collector.has(location, secret)) continue
    collector.report({
      ...rule,
      level: isGuess ? 'warning' : rule.level,
      ...where(),
      secret,
      show: prefix,
      name: nameBefore(script.text, start),
    })
  }
  const at = text.indexOf(versionedPath)
  const call =
    at === -1 || isComparedFrom(script.text, start, () => wholeTextOf(bytes))
      ? null
      : mintCallAt(text, at, mintHost)
  if (call !== null && !collector.has(location, call.url)) {
    const beside =
      call.target === 'relative' ? hostBeside({ bytes: file, isText: true }, mintHost ?? hole) : null
    reportCall(audit, beside === null ? call : { ...call, target: 'interpolated', beside }, where())
  }
  for (const jwt of tokensIn(text)) {
    if (!collector.has(location, jwt)) reportToken(audit, jwt, where())
  }
  return isKnown
}

/**
 * Behind a name with a hash: `n.p + "0a1b2c3d4e5f6a7b8c9d.svg"` is how webpack names a file, and an export of any module may be
 * called `p` as well.
 */
const fileEnding = /^\.[a-z][a-z0-9]{1,5}(?:[?#]|$)/

const reasons = {
  costly: 'its expressions cost more than the limits allow',
  time: 'it takes longer than the limits allow',
  memory: 'it takes more memory than the limits allow',
  failed: 'the thread that folds it failed',
}

function whereIn({ location, format, bytes, file = bytes }: ScriptText, offset: number) {
  return {
    location,
    format,
    offset,
    decoder: 'folded',
    line: lineOf(file, offset),
    column: columnOf(file, offset),
  }
}

/** Where in its bytes a character of a text is. Asked in the order of the text, each part of it is counted once. */
function createOffsets(text: string, bytes: Buffer): (at: number) => number {
  if (text.length === bytes.length) return (at) => at
  let [counted, offset] = [0, 0]
  return (at) => {
    if (at < counted) [counted, offset] = [0, 0]
    offset += Buffer.byteLength(text.slice(counted, at))
    counted = at
    return offset
  }
}
