/** Rows in which people type keys that are none: in order, in either direction. */
const rows = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '0123456789abcdef',
  '1234567890',
]
const follows = new Set(
  rows.flatMap((row) => [...row].slice(1).flatMap((char, at) => [`${row[at]}${char}`, `${char}${row[at]}`])),
)
const leastRun = 5
/** Longer texts are no placeholders: each look costs the square of a length. */
const longest = 200
/** Digits alone follow each other by chance, too. */
const leastRunOfDigits = 6
/** A part of a placeholder that is in no order, such as a digit at its end. */
const mostOther = 0.25
const words =
  /(?:your|my|the|some|insert|enter|put|add|api|app|server|secret|private|access|live|test|prod|key|token|here|goes|example|sample|dummy|fake|demo|mock|placeholder|changeme|change|replace|redacted|hidden|todo|foo|bar|baz|xxx+|value|abc|me|with|this)/g

/**
 * Says whether a text was typed to stand for a key: runs of the alphabet, of digits or of a row of keys, a short piece again
 * and again, words that say so. Each of these is an order that random characters do not have.
 */
export function isPlaceholder(suffix: string): boolean {
  const text = suffix.toLowerCase().replace(/[_-]/g, '')
  if (text.length < leastRun || text.length > longest) return false
  if (isRepeated(text)) return true
  const ordered = new Uint8Array(text.length)
  const least = /^\d+$/.test(text) ? leastRunOfDigits : leastRun
  for (const stride of [1, 2]) markRuns(text, stride, least, ordered)
  const inOrder = ordered.reduce((sum, one) => sum + one, 0)
  // Words count only between runs in order, or where they are all that there is: by themselves they are names.
  for (const { 0: word, index } of text.matchAll(words)) ordered.fill(1, index, index + word.length)
  const covered = ordered.reduce((sum, one) => sum + one, 0)
  const other = text.length - covered
  return other === 0 || (other <= mostOther * text.length && 2 * inOrder >= text.length)
}

/** A piece again and again, at least twice and a half; a short one twice. */
function isRepeated(text: string): boolean {
  for (let period = 1; period * 2 <= text.length; period++) {
    const isOften = period * 2.5 <= text.length || (period * 2 === text.length && period <= 8)
    if (isOften && text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

/** Marks runs of characters that follow each other, or are the same; with a stride of 2 every other one: `a1b2c3`. */
function markRuns(text: string, stride: number, least: number, ordered: Uint8Array): void {
  for (let from = 0; from < text.length; ) {
    let to = from
    while (to + stride < text.length && isNext(text, to, stride)) to += 1
    const length = to - from + stride
    if (length >= least * stride) ordered.fill(1, from, from + length)
    from = Math.max(to, from + 1)
  }
}

function isNext(text: string, at: number, stride: number): boolean {
  const pair = (text[at] ?? '') + (text[at + stride] ?? '')
  return pair[0] === pair[1] || follows.has(pair)
}
