import { parse } from 'meriyah'
import { hole, type MintCall, mintCallAt } from '../mint-call.ts'
import { keyRule } from '../report-to.ts'
import { keyAt } from '../scan/key.ts'
import { lineOf } from '../scan/place.ts'
import { reportCall, reportToken } from '../scan/report-token.ts'
import type { Audit } from '../settings.ts'
import { foldedStrings } from './fold.ts'
import type { Node } from './scope.ts'

export interface ScriptText {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** Where the script begins in its file. */
  readonly base: number
}

/** What a script has to hold before it is worth parsing: a piece of the prefix, in or against its direction, or coded. */
const fragments = new RegExp(
  [
    /ac_["'`$+l]/,
    /c_live_|live_["'`0-9A-Z$]|["'`]_?live|["'`]i?ve_/,
    /["'`]ac(?:_(?:l(?:i(?:ve?)?)?)?)?["'`$]|["'`]a["'`]\s*[,+]\s*["'`]c/,
    /_evil|evil_|["'`]evil|_e(?:vi?)?["'`]|["'`]v?i?l_ca["'`]/,
    /YWN|FjX2|hY19|bGl2|61635f|\\x61|\\u0061|eyJ/,
    /97\s*,\s*99\s*,\s*95|0[xX]61\s*,\s*0[xX]63|95\s*,\s*101\s*,\s*118/,
    /calling\/token|\/calling["'`]|api\/v1/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
const largest = 24 * 1024 * 1024

/** Folds the constants of a script that contains a fragment of a key, a token or the mint endpoint's path. */
export function foldScript(audit: Audit, { location, format, bytes, base }: ScriptText): void {
  if (bytes.length > largest) return
  const text = bytes.toString('utf8')
  if (!fragments.test(text)) return
  const tree = parsed(text)
  if (tree === null) return
  for (const { value, start } of foldedStrings(tree)) {
    if (!value.includes(audit.prefix) && !/calling\/token|e[wy]/.test(value)) continue
    const where = () => {
      const offset = base + Buffer.byteLength(text.slice(0, start))
      const line = base === 0 ? { line: lineOf(bytes, offset) } : {}
      return { location, format, offset, decoder: 'folded', ...line }
    }
    for (let at = value.indexOf(audit.prefix); at !== -1; at = value.indexOf(audit.prefix, at + 1)) {
      const { secret, shape, next } = keyAt(value, at, audit.prefix)
      const rule = keyRule('folded', shape)
      if (rule === null || audit.collector.has(location, secret) || rule.kind === 'identifier') continue
      if (shape === 'bare' && next !== '' && next !== hole) continue
      audit.collector.report({ ...rule, ...where(), secret, show: audit.prefix })
    }
    const isNew = ({ target, url }: MintCall) => target !== 'relative' && !audit.collector.has(location, url)
    const at = value.indexOf('v1/calling/token')
    const call = at === -1 ? null : mintCallAt(value, at, audit.mintHost)
    if (call !== null && (call.target === 'interpolated' || isNew(call))) reportCall(audit, call, where())
    for (const [jwt] of value.matchAll(/e[wy][A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){1,3}/g))
      if (!audit.collector.has(location, jwt)) reportToken(audit, jwt, where())
  }
}

/** `null` where the text is no JavaScript: its bytes have been looked at all the same. */
function parsed(text: string): Node | null {
  for (const sourceType of ['module', 'script'] as const)
    try {
      return parse(text, {
        sourceType,
        ranges: true,
        next: true,
        jsx: true,
        webcompat: true,
      }) as unknown as Node
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  return null
}
