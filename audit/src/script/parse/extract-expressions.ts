import type { Effort } from '../../model/effort.ts'
import { fragmentsOf } from '../clues/fragments.ts'
import { mark, name as nameKind, number, type Tokens, text as textKind, tokenize } from './tokenize.ts'

/** A constant expression that was cut out of a script, and the name that it is given there. */
export interface ExtractedExpression {
  readonly name: string | null
  readonly text: string
  readonly start: number
  /** Characters from it to the nearest expression with a piece of what is looked for; 0 where it is one. */
  readonly distance: number
}

const longest = 65_536
const longestName = 1024
const mostText = 1024 * 1024
/** With what each of them is given a name by, their tree takes as much memory as half of the largest one of a script. */
const mostTokens = 400_000
const tokensOfName = 9
/** Held at once, of which the nearest are kept. */
const mostOthers = 40_000
const mostTextOfOthers = 4 * mostText
const keywords =
  /^(?:return|const|let|var|case|typeof|new|await|yield|export|default|import|from|function|class|if|else|for|while|in|of|as|satisfies|extends|type|interface|enum|async|throw|delete|void|this)$/

export interface ExtractedExpressions {
  readonly expressions: readonly ExtractedExpression[]
  /** True where there were more expressions than fit into one tree. */
  readonly isCut: boolean
}

/** Tokens before a slice that may give the name of what it begins with. */
const lookBack = 32

/**
 * Expressions made of literals, names and calls: what can be folded of a script that does not parse as JavaScript, or
 * is too large for a tree. Types and statements between them are skipped, and what was there already. As much of the
 * script as `sliceLength` is split into tokens at once: those of many megabytes would not fit into memory.
 */
export function extractExpressions(
  script: string,
  prefix: string,
  effort: Effort,
  sliceLength = 512 * 1024,
): ExtractedExpressions {
  const pieces: Candidate[] = []
  let others: Candidate[] = []
  let isPruned = false
  const isFragment = fragmentsOf(prefix).inParts(script, effort)
  const seen = new Set<string>()
  let totalOfOthers = 0
  const spent = { text: 0, tokens: 0 }
  let isCut = false
  /** A list that has begun in a slice before is no expression any more: its end is not known. */
  let isInList = false
  for (let from = 0, first = 0; from < script.length; ) {
    const end = from + sliceLength
    const tokens = tokenize(script, from, end + longest)
    const reading = readingOf(script, tokens, isFragment)
    if (isInList) {
      const brace = reading.braceFrom(0)
      isInList = brace === tokens.count
      isCut ||= isFragment(from, isInList ? tokens.next : (tokens.start[brace] ?? from))
    }
    let index = first
    for (; index < tokens.count && (tokens.start[index] ?? 0) < end; index++) {
      const found = expressionAt(reading, index)
      if (found === 'too long') {
        isCut ||= isLostIn(reading, index)
        isInList ||= isOpen(reading, index) && reading.braceFrom(index) === tokens.count
      }
      if (found === null || found === 'too long') continue
      const key = `${found.expression.name}=${found.expression.text}`
      if (!seen.has(key)) {
        seen.add(key)
        const { start, text } = found.expression
        const candidate = { expression: found.expression, tokens: found.tokens + tokensOfName }
        if (isFragment(start, start + text.length)) {
          pieces.push(candidate)
          spent.text += text.length
          spent.tokens += candidate.tokens
        } else {
          others.push(candidate)
          totalOfOthers += text.length
        }
        if (spent.text > mostText || spent.tokens > mostTokens)
          return { expressions: inOrder(pieces), isCut: true }
        if (others.length > mostOthers || totalOfOthers > mostTextOfOthers) {
          others = nearest(others, [...pieces, candidate], spent.tokens)
          totalOfOthers = others.reduce((sum, { expression }) => sum + expression.text.length, 0)
          isPruned = true
          seen.clear()
        }
      }
      index = found.last
    }
    if (index >= tokens.count) {
      first = 0
      from = tokens.next
      continue
    }
    first = Math.min(lookBack, index)
    while ((tokens.start[index - first] ?? end) <= from) first -= 1
    from = tokens.start[index - first] ?? script.length
  }
  const kept = nearest(others, pieces, spent.tokens)
  const isLost = pieces.length === 0 && (isPruned || kept.length < others.length)
  return { expressions: inOrder([...pieces, ...kept]), isCut: isCut || isLost }
}

/** An expression, with what its part of a tree takes. */
interface Candidate {
  readonly expression: ExtractedExpression
  readonly tokens: number
}

function inOrder(candidates: readonly Candidate[]): ExtractedExpression[] {
  return candidates.map(({ expression }) => expression).sort((a, b) => a.start - b.start)
}

/** Those of rising expressions that are nearest to pieces, as many as fit into a tree beside these. */
function nearest(others: readonly Candidate[], pieces: readonly Candidate[], spent: number): Candidate[] {
  let next = 0
  const startOf = (piece: Candidate | undefined) => piece?.expression.start ?? Number.POSITIVE_INFINITY
  const far = others.map((candidate) => {
    const { start } = candidate.expression
    while (startOf(pieces[next]) < start) next += 1
    const [before, after] = [pieces[next - 1], pieces[next]].map((piece) => Math.abs(startOf(piece) - start))
    const distance = Math.min(before ?? 0, after ?? 0)
    return { ...candidate, expression: { ...candidate.expression, distance } }
  })
  let [text, tokens] = [0, spent]
  return far
    .sort((a, b) => byDistance(a.expression, b.expression))
    .slice(0, mostOthers / 2)
    .filter((candidate) => {
      text += candidate.expression.text.length
      tokens += candidate.tokens
      return text <= mostText && tokens <= mostTokens
    })
    .sort((a, b) => a.expression.start - b.expression.start)
}

/** Puts what is near first; what is equally near, or infinitely far, stays in its order. */
export function byDistance(a: { readonly distance: number }, b: { readonly distance: number }): number {
  return a.distance < b.distance ? -1 : a.distance > b.distance ? 1 : 0
}

/** A stretch of a script, and what is known about its tokens. */
interface Reading {
  readonly script: string
  readonly tokens: Tokens
  /** The index after an expression that begins at a token; the same index where none begins. */
  readonly endOf: (index: number) => number
  /** The next brace that opens, or the end. */
  readonly braceFrom: (index: number) => number
  /** Says whether a stretch of characters holds a piece of a key, a token or an address. */
  readonly isFragment: (start: number, end: number) => boolean
}

function readingOf(script: string, tokens: Tokens, isFragment: Reading['isFragment']): Reading {
  const braceFrom = createChain(tokens.count, (at) =>
    at === tokens.count || charAt(script, tokens, at) === '{' ? at : at + 1,
  )
  return { script, tokens, endOf: createEnds(script, tokens), braceFrom, isFragment }
}

interface Found {
  readonly expression: ExtractedExpression
  readonly tokens: number
  /** The last token that is skipped with it. */
  readonly last: number
}

/** The expression that begins at a token. */
function expressionAt(reading: Reading, index: number): Found | 'too long' | null {
  const { script, tokens, endOf } = reading
  if (isOpen(reading, index)) return 'too long'
  const end = endOf(index)
  if (end === index || isMember(reading, index)) return null
  const start = tokens.start[index] ?? 0
  const length = (tokens.end[end - 1] ?? 0) - start
  if (length > longest) return 'too long'
  const isComposed = end > index + 1 || script[start] === '`'
  const name = nameBefore(script, tokens, index)
  const isWhole = isComposed && isWorth(reading, start, start + length)
  if (!isWhole && (name === null || !(isComposed || length <= longestName))) return null
  const text = script.slice(start, start + length)
  return {
    expression: { name, text, start, distance: 0 },
    tokens: end - index,
    last: isWhole ? end - 1 : index,
  }
}

/** Says whether a token is a member of what is before it: without that, `key.startsWith(…)` would be a call of any function. */
function isMember({ script, tokens }: Reading, index: number): boolean {
  if (charAt(script, tokens, index - 1) !== '.' || charAt(script, tokens, index - 2) === '.') return false
  return wordAt(script, tokens, index - 2) !== 'this'
}

/** Says whether a list or parentheses go on behind all tokens that were read. */
function isOpen({ script, tokens }: Reading, index: number): boolean {
  const isBracket = /^[[(]$/.test(charAt(script, tokens, index))
  return isBracket && tokens.after[index] === 0 && tokens.next < script.length
}

/** Says whether a too long expression is lost. Its parts are read: a function or object in it saves it. */
function isLostIn(reading: Reading, index: number): boolean {
  const { tokens, endOf, braceFrom, isFragment } = reading
  const end = isOpen(reading, index) ? tokens.count : endOf(index)
  return braceFrom(index) >= end && isFragment(tokens.start[index] ?? 0, tokens.end[end - 1] ?? 0)
}

/** A piece of what is looked for, or a sum of what may be pieces. */
function isWorth({ script, isFragment }: Reading, start: number, end: number): boolean {
  if (end - start >= longestName) return isFragment(start, end)
  const text = script.slice(start, end)
  return /["'`+[]|\d,/.test(text) && (/[+`]/.test(text) || isFragment(start, end))
}

function charAt(script: string, { start, kind }: Tokens, index: number): string {
  return kind[index] === mark ? (script[start[index] ?? 0] ?? '') : ''
}

function wordAt(script: string, { start, end, kind }: Tokens, index: number): string | null {
  return kind[index] === nameKind ? script.slice(start[index], end[index]) : null
}

/** `NAME = …` or `NAME: Type = …`. */
function nameBefore(script: string, tokens: Tokens, index: number): string | null {
  if (charAt(script, tokens, index - 1) !== '=') return null
  const before = wordAt(script, tokens, index - 2)
  if (before !== null && charAt(script, tokens, index - 3) !== ':')
    return charAt(script, tokens, index - 3) === '.' ? null : before
  for (let at = index - 2; at > index - 24 && at > 0; at--) {
    const char = charAt(script, tokens, at)
    if (char === ':') return wordAt(script, tokens, at - 1)
    if (/[;(){}=]/.test(char)) return null
  }
  return null
}

/** The index after an expression that begins at a token. What many expressions end with is read once. */
function createEnds(script: string, tokens: Tokens): (index: number) => number {
  const calls = createChain(tokens.count, (at) => {
    const next = charAt(script, tokens, at)
    if (next === '.' && tokens.kind[at + 1] === nameKind) return at + 2
    return next === '(' || next === '[' ? tokens.after[at] || at : at
  })
  const operandEnd = (start: number) => {
    const first = operandStart(script, tokens, start)
    return first === start ? start : calls(first)
  }
  const sums = createChain(tokens.count, (at) => {
    if (charAt(script, tokens, at) !== '+') return at
    const end = operandEnd(at + 1)
    return end === at + 1 ? at : end
  })
  return (index) => {
    const end = operandEnd(index)
    return end === index ? index : sums(end)
  }
}

/** Where steps from token to token end, the first of which goes nowhere; every token of the way is remembered. */
function createChain(count: number, step: (at: number) => number): (from: number) => number {
  /** One more than the end, so that 0 is none. While a way is walked, what follows each token of it, below 0. */
  const ends = new Int32Array(count + 1)
  return (from) => {
    let at = from
    while ((ends[at] ?? at + 1) === 0) {
      const next = step(at)
      ends[at] = next === at ? at + 1 : -next
      if (next !== at) at = next
    }
    const end = ends[at] ?? at + 1
    for (let passed = from; passed !== at; ) {
      const next = -(ends[passed] ?? 0)
      ends[passed] = end
      passed = next
    }
    return end - 1
  }
}

/** The index after what an operand begins with; the same index where none begins. */
function operandStart(script: string, tokens: Tokens, start: number): number {
  const kind = tokens.kind[start]
  const char = charAt(script, tokens, start)
  if (kind === textKind || kind === number) return start + 1
  if (kind === nameKind) return keywords.test(wordAt(script, tokens, start) ?? '') ? start : start + 1
  if (char === '(' || char === '[' || (char === '{' && charAt(script, tokens, start - 1) === '='))
    return tokens.after[start] || start
  return start
}
