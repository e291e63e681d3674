import { type Effort, pay } from '../../../model/effort.ts'
import { countedPattern } from './counted-pattern.ts'

const longestPattern = 512
const longestText = 65_536
/** Repetitions in one pattern, each of which multiplies what the ones before it try. */
const mostRepeats = 3
/** Ways through a pattern at one place: choices and what may be left out multiply. */
const mostWays = 4096
const triesInStep = 16
/**
 * Repetitions that end in a single way: what follows is none of what they repeat, or nothing. However many there are, they
 * try each character of a text at most twice.
 */
const endedRepeat =
  /\\w[+*]\??\)?(?=(?:[=:;,/&#@<>"'`! -]|\\[^\w])(?![?*{])|$)|\[\^(\\?[^\w\s\\])\][+*]\??\)?(?=\1(?![?*{]))/g

/** Longer texts are tried by patterns only whose cost is known before. */
const longestCounted = 2000
const counted = new WeakMap<RegExp, { readonly effort: Effort; readonly pattern: RegExp | null }>()

/**
 * Gives the pattern to try on a text: itself, where it is paid for by as much as it can try at worst, or one that pays while
 * it tries. @returns `null` where it may not be tried
 */
export function toTry(pattern: RegExp, text: string, effort: Effort): RegExp | null {
  if (payForPattern(pattern, text, effort)) return pattern
  if (text.length > longestCounted || pattern.source.length > longestCounted) return null
  const known = counted.get(pattern)
  const made = known?.effort === effort ? known.pattern : countedPattern(pattern, effort)
  counted.set(pattern, { effort, pattern: made })
  if (made !== null) made.lastIndex = pattern.lastIndex
  return made
}

/**
 * Pays for a pattern on a text, by as much as it can try at worst. @returns `false` where that is too much, or not
 * known: something in it repeats what repeats itself or chooses, or it refers to what it has found
 */
export function payForPattern({ source, multiline }: RegExp, text: string, effort: Effort): boolean {
  if (source.length > longestPattern || text.length > longestText) return false
  const plain = source.replace(endedRepeat, (found) => (found.endsWith(')') ? 'x)' : 'x'))
  const hasEnded = plain.length < source.length ? 1 : 0
  const bare = plain
    .replace(/\\[dDwWsSbBnrtfv0]|\\[^\w]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}/gi, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:<\w+>|:)/g, '(')
  if (/\\/.test(bare) || /\)[*+{]/.test(bare) || /\(\?/.test(bare)) return false
  const repeats = hasEnded + (bare.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0)
  const ways = waysThrough(bare)
  if (repeats > mostRepeats || ways > mostWays) return false
  const isAtStart = bare.startsWith('^') && !bare.includes('|') && !multiline
  const places = Math.max(1, isAtStart ? repeats : repeats + 1)
  const steps = (text.length + 1) ** places * ways * (1 + source.length / 8)
  if (!(steps / triesInStep < effort.steps)) return false
  pay(effort, steps / triesInStep)
  return true
}

/** How many ways a pattern leads along at most: each group and each part that may be missing multiplies them. */
function waysThrough(pattern: string): number {
  const choices = [1]
  let ways = 1
  for (const [at, char] of [...pattern].entries()) {
    if (char === '(') choices.push(1)
    else if (char === '|') choices.push((choices.pop() ?? 1) + 1)
    else if (char === ')') ways *= choices.pop() ?? 1
    else if (char === '?' && !/[*+}?]/.test(pattern[at - 1] ?? '')) ways *= 2
  }
  return choices.reduce((all, one) => all * one, ways)
}
