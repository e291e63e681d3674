import { hole, isMintAddress, type MintCall, mintCallAt } from '../model/mint-call.ts'
import { keyRule } from '../model/rules.ts'
import { keyAt } from '../scan/key-candidate.ts'
import { reportCall, reportToken } from '../scan/report-token.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { lineOf } from '../scan/scanned-file.ts'
import { foldStrings } from './fold-strings.ts'
import { fragmentsOf } from './fragments.ts'
import { parseScript } from './parse-script.ts'
import { isTooLargeForTree } from './parser-memory.ts'

export interface ScriptText {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** Where the script begins in its file. */
  readonly base: number
  /** Where the lines of the file begin to count, for a script that is a part of it. */
  readonly file?: Buffer
  /** Whether the file is a script for certain, so that it has to parse. */
  readonly isCertain?: boolean
  /** How many scripts it is a string of. */
  readonly depth?: number
}

const deepest = 3
const largest = 24 * 1024 * 1024

/** Folds the constants of a script, and of the scripts that are among them and worth it. */
export function foldScript(audit: ScanContext, script: ScriptText): void {
  const { location, bytes, base, isCertain = true, depth = 0 } = script
  if (bytes.length > largest) {
    audit.collector.gap('limit', location, 'a script too large for its constants to be folded')
    return
  }
  const text = bytes.toString('utf8')
  const parsed = parseScript(text, audit.prefix)
  if ((parsed === null || parsed.isPartial) && isCertain && !isTooLargeForTree(text))
    audit.collector.gap('fallback', location, 'not completely folded: it does not parse as JavaScript')
  if (parsed === null) return
  if (parsed.isCut)
    audit.collector.gap(
      'limit',
      location,
      'a script with more expressions than can be folded: not completely folded',
    )
  const { tree, placeOf } = parsed
  const { strings, bases } = foldStrings(tree)
  const address = bases.find(
    (address) => audit.mintHost !== undefined && isMintAddress(address, audit.mintHost),
  )
  for (const { value, start, isCode } of strings) {
    const code = isCode && depth < deepest ? Buffer.from(value) : null
    if (code !== null && fragmentsOf(audit.prefix).inBytes(code)) {
      const offset = base + Buffer.byteLength(text.slice(0, placeOf(start)))
      foldScript(audit, {
        ...script,
        bytes: code,
        base: offset,
        isCertain: false,
        depth: depth + 1,
      })
    }
    if (!value.includes(audit.prefix) && !/calling\/token|e[wy]/.test(value)) continue
    reportFolded(audit, script, { value, address }, () => Buffer.byteLength(text.slice(0, placeOf(start))))
  }
}

function reportFolded(
  audit: ScanContext,
  { location, format, bytes, base, file = bytes }: ScriptText,
  { value, address }: { readonly value: string; readonly address: string | undefined },
  offsetIn: () => number,
): void {
  const where = () => {
    const offset = base + offsetIn()
    return { location, format, offset, decoder: 'folded', line: lineOf(file, offset) }
  }
  for (let at = value.indexOf(audit.prefix); at !== -1; at = value.indexOf(audit.prefix, at + 1)) {
    const { secret, shape, next } = keyAt(value, at, audit.prefix, audit.leastSuffix)
    const rule = keyRule('folded', shape)
    if (rule === null || audit.collector.has(location, secret) || rule.kind === 'identifier') continue
    if (shape === 'bare' && next !== '' && next !== hole) continue
    audit.collector.report({ ...rule, ...where(), secret, show: audit.prefix })
  }
  const isNew = ({ target, url }: MintCall) => target !== 'relative' && !audit.collector.has(location, url)
  const at = value.indexOf('v1/calling/token')
  const read = at === -1 ? null : mintCallAt(value, at, audit.mintHost)
  // A client with the mint's address as its base calls it by the path alone.
  const isJoined = read?.target === 'relative' && address !== undefined
  const call = isJoined ? { ...read, url: new URL(read.url, address).href, target: 'mint' as const } : read
  if (call !== null && (call.target === 'interpolated' || isNew(call))) reportCall(audit, call, where())
  for (const [jwt] of value.matchAll(/e[wy][A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){1,3}/g))
    if (!audit.collector.has(location, jwt)) reportToken(audit, jwt, where())
}
