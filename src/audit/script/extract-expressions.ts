import { fragmentsOf } from './fragments.ts'
import { mark, name as nameKind, number, type Tokens, text as textKind, tokenize } from './tokenize.ts'

/** A constant expression that was cut out of a script, and the name that it is given there. */
export interface ExtractedExpression {
  readonly name: string | null
  readonly text: string
  readonly start: number
}

const longest = 65_536
const longestName = 1024
const mostText = 1024 * 1024
const keywords =
  /^(?:return|const|let|var|case|typeof|new|await|yield|export|default|import|from|function|class|if|else|for|while|in|of|as|satisfies|extends|type|interface|enum|async|throw|delete|void|this)$/

export interface ExtractedExpressions {
  readonly expressions: readonly ExtractedExpression[]
  /** Whether there were more than can be put into one tree. */
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
  sliceLength = 2 * 1024 * 1024,
): ExtractedExpressions {
  const expressions: ExtractedExpression[] = []
  const seen = new Set<string>()
  let total = 0
  for (let from = 0, first = 0; from < script.length; ) {
    const end = from + sliceLength
    const tokens = tokenize(script, from, end + longest)
    let index = first
    for (; index < tokens.count && (tokens.start[index] ?? 0) < end; index++) {
      const found = expressionAt(script, tokens, index, prefix)
      if (found === null) continue
      const key = `${found.expression.name}=${found.expression.text}`
      if (!seen.has(key)) {
        seen.add(key)
        expressions.push(found.expression)
        total += found.expression.text.length
        if (total > mostText) return { expressions, isCut: true }
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
  return { expressions, isCut: false }
}

/** The expression that begins at a token, and the last token that is skipped with it. */
function expressionAt(
  script: string,
  tokens: Tokens,
  index: number,
  prefix: string,
): { readonly expression: ExtractedExpression; readonly last: number } | null {
  const end = expressionEnd(script, tokens, index)
  if (end === index) return null
  const start = tokens.start[index] ?? 0
  const length = (tokens.end[end - 1] ?? 0) - start
  if (length > longest) return null
  const text = script.slice(start, start + length)
  const isComposed = end > index + 1 || text.startsWith('`')
  const name = nameBefore(script, tokens, index)
  const isWhole = isComposed && isWorth(text, prefix)
  if (!isWhole && (name === null || !(isComposed || text.length <= longestName))) return null
  return { expression: { name, text, start }, last: isWhole ? end - 1 : index }
}

/** A piece of what is looked for, or a sum of what may be pieces. */
function isWorth(text: string, prefix: string): boolean {
  if (!/["'`+[]|\d,/.test(text)) return false
  return (text.length < longestName && /[+`]/.test(text)) || fragmentsOf(prefix).inText(text)
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

/** The index after an expression that begins at a token; the same index where none begins. */
function expressionEnd(script: string, tokens: Tokens, start: number): number {
  let at = operandEnd(script, tokens, start)
  if (at === start) return start
  while (charAt(script, tokens, at) === '+') {
    const end = operandEnd(script, tokens, at + 1)
    if (end === at + 1) break
    at = end
  }
  return at
}

function operandEnd(script: string, tokens: Tokens, start: number): number {
  const kind = tokens.kind[start]
  const char = charAt(script, tokens, start)
  let at: number
  if (kind === textKind || kind === number) at = start + 1
  else if (kind === nameKind) {
    if (keywords.test(wordAt(script, tokens, start) ?? '')) return start
    at = start + 1
  } else if (char === '(' || char === '[' || (char === '{' && charAt(script, tokens, start - 1) === '='))
    at = tokens.after[start] || start
  else return start
  for (; at > start; ) {
    const next = charAt(script, tokens, at)
    if (next === '.' && tokens.kind[at + 1] === nameKind) at += 2
    else if (next === '(' || next === '[') {
      const end = tokens.after[at] || at
      if (end === at) break
      at = end
    } else break
  }
  return at
}
