import { pay } from '../model/effort.ts'
import { mintCallAt } from '../model/mint-call.ts'
import { keyRule } from '../model/rules.ts'
import { keyAt } from '../scan/key-candidate.ts'
import { reportCall, reportToken } from '../scan/report-token.ts'
import { type ScanContext, stepsOfCandidate } from '../scan/scan-context.ts'
import { tokensIn } from '../scan/tokens-in.ts'
import type { Made } from './machine.ts'

/** From the beginning of each: a search from each of its characters would read it as often as it is long. */
const wordsBeforeDots = /(?<![\w-])[\w-]+\./g

/** Says whether a text is worth being kept: it has a key's prefix, the mint's path, or what a token begins with. */
export function mayTell(text: string, prefix: string): boolean {
  return (
    text.includes(prefix) ||
    text.includes('v1/calling/token') ||
    (text.length > 40 && (text.match(wordsBeforeDots) ?? []).some((word) => /e[wy]/.test(word)))
  )
}

/**
 * Reports the keys, tokens and calls of the mint in the texts that code puts together. A part of a text that was made
 * of it is no text in itself.
 */
export function reportMade(
  audit: ScanContext,
  { location, format }: { readonly location: string; readonly format: string },
  made: readonly Made[],
): void {
  const { collector, effort, prefix, leastSuffix, mintHost } = audit
  const whole = longest(made, prefix)
  for (const { text, offset, extent } of whole) {
    const where = { location, format, offset, decoder: 'folded' }
    for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
      pay(effort, stepsOfCandidate)
      const { secret, shape, next } = keyAt(text, at, prefix, leastSuffix)
      const rule = keyRule('folded', shape)
      // A mask that fits by chance is a warning; code that undoes it proves it.
      if (rule === null || rule.kind === 'identifier' || collector.has(location, secret, rule.level)) continue
      if (shape === 'bare' && next !== '') continue
      collector.report({ ...rule, ...where, secret, show: prefix, extent: next === '' ? extent : undefined })
    }
    const path = text.indexOf('v1/calling/token')
    const call = path === -1 ? null : mintCallAt(text, path, mintHost)
    // A path alone is found where it is written.
    if (call !== null && call.target !== 'relative' && !collector.has(location, call.url))
      reportCall(audit, call, where)
    for (const jwt of tokensIn(text)) {
      pay(effort, stepsOfCandidate + jwt.length)
      if (!collector.has(location, jwt)) reportToken(audit, jwt, where)
    }
  }
}

const mostCompared = 500

function certainty({ extent }: Made): number {
  return extent === undefined ? 1 : 0
}

function longest(made: readonly Made[], prefix: string): readonly Made[] {
  // A reading whose end is known comes last, and stays.
  const texts = new Map(
    made.toSorted((one, other) => certainty(one) - certainty(other)).map((one) => [one.text, one]),
  )
  // Separators behind a key were put there by a loop, or are there for what follows.
  for (const text of texts.keys()) {
    const key = text.replace(/(?<![_-])[_-]+$/, '')
    if (key !== text && key.includes(prefix) && texts.has(key)) texts.delete(text)
  }
  const unique = [...texts.values()]
  if (unique.length > mostCompared) return unique
  return unique.filter(
    ({ text }) => !unique.some((other) => other.text !== text && other.text.includes(text)),
  )
}
