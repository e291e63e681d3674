import { fragmentsOf } from './fragments.ts'
import { mark, name as nameKind, number, type Tokens, text as textKind, tokensOf } from './tokens.ts'

/** A constant expression that was cut out of a script, and the name that it is given there. */
export interface Island {
  readonly name: string | null
  readonly text: string
  readonly start: number
}

const longest = 65_536
const longestName = 1024
const mostText = 1024 * 1024
const keywords =
  /^(?:return|const|let|var|case|typeof|new|await|yield|export|default|import|from|function|class|if|else|for|while|in|of|as|satisfies|extends|type|interface|enum|async|throw|delete|void|this)$/

/**
 * Expressions made of literals, names and calls: what can be folded of a script that does not parse as JavaScript, or
 * is too large for a tree. Types and statements between them are passed over.
 */
export function islandsOf(script: string, prefix: string): Island[] {
  const tokens = tokensOf(script)
  const islands: Island[] = []
  let total = 0
  for (let index = 0; index < tokens.count && total < mostText; index++) {
    const end = expressionEnd(script, tokens, index)
    if (end === index) continue
    const start = tokens.start[index] ?? 0
    const text = script.slice(start, Math.min(tokens.end[end - 1] ?? 0, start + longest + 1))
    if (text.length > longest) continue
    const isComposed = end > index + 1 || text.startsWith('`')
    const name = nameBefore(script, tokens, index)
    const isWhole = isComposed && isWorth(text, prefix)
    if (isWhole || (name !== null && (isComposed || text.length <= longestName))) {
      islands.push({ name, text, start })
      total += text.length
    }
    if (isWhole) index = end - 1
  }
  return islands
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
