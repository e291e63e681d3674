/** The tokens of a script in columns, so that a script of many megabytes fits into memory. */
export interface Tokens {
  readonly count: number
  readonly kind: Uint8Array
  readonly start: Int32Array
  readonly end: Int32Array
  /** For a bracket the index of the token after its partner; 0 where it has none. */
  readonly after: Int32Array
  /** Where the next one would be looked for. */
  readonly next: number
}

/** Kinds of tokens: a mark is any single character that is neither a word nor a text. */
export const name = 1
export const text = 2
export const number = 3
export const mark = 4

const [quote, apostrophe, backtick, backslash, slash, star, newline] = [34, 39, 96, 92, 47, 42, 10]

/**
 * Splits a script into tokens, also one that does not parse; a template counts as one text. `from` is where a token or
 * the space before it begins; the last token is the one that begins before `to`.
 */
export function tokenize(script: string, from = 0, to = script.length): Tokens {
  let kind = new Uint8Array(4096)
  let start = new Int32Array(4096)
  let end = new Int32Array(4096)
  let count = 0
  const { length } = script
  const stop = Math.min(to, length)
  const open: OpenQuotes = {}
  let at = from
  while (at < stop) {
    const code = script.charCodeAt(at)
    if (code <= 32) {
      at += 1
      continue
    }
    if (code === slash && isCommentAt(script, at)) {
      at = commentEnd(script, at)
      continue
    }
    const first = at
    let of = mark
    if (code === quote || code === apostrophe) {
      const close = stringEnd(script, at, code, open)
      if (close !== -1) of = text
      at = close === -1 ? at + 1 : close
    } else if (code === backtick) {
      of = text
      at = templateEnd(script, at)
    } else if (code === slash) {
      at = mayBePattern(script, { count, kind, start, end }) ? patternEnd(script, at) : at + 1
    } else if (isWord(code)) {
      of = code >= 48 && code <= 57 ? number : name
      while (at < length && isWord(script.charCodeAt(at))) at += 1
    } else at += 1
    if (count === kind.length) {
      kind = grown(kind, new Uint8Array(count * 2))
      start = grown(start, new Int32Array(count * 2))
      end = grown(end, new Int32Array(count * 2))
    }
    kind[count] = of
    start[count] = first
    end[count] = at
    count += 1
  }
  const tokens = { count, kind, start, end, after: new Int32Array(count), next: at }
  pair(script, tokens)
  return tokens
}

function grown<Column extends Uint8Array | Int32Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  )
}

function isCommentAt(script: string, at: number): boolean {
  const next = script.charCodeAt(at + 1)
  return next === slash || next === star
}

function commentEnd(script: string, at: number): number {
  const isLine = script.charCodeAt(at + 1) === slash
  const close = script.indexOf(isLine ? '\n' : '*/', at + 2)
  return close === -1 ? script.length : close + (isLine ? 1 : 2)
}

/** How far no text ends that begins with a quotation mark, by its code. */
type OpenQuotes = Record<number, number>

/** -1 where the line ends first: then the quote stood in a regular expression or in running text. */
function stringEnd(script: string, start: number, close: number, open: OpenQuotes): number {
  // Text behind such a mark was read before. An escaped mark of its kind there ends nowhere else.
  if (start < (open[close] ?? 0)) return -1
  let at = start + 1
  for (; at < script.length; at++) {
    const code = script.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === close) return at + 1
    else if (code === newline) break
  }
  open[close] = at
  return -1
}

/** Words after which a value begins. */
const beforeValue = /^(?:return|typeof|case|do|else|in|of|instanceof|void|delete|throw|new|await|yield)$/

/** Says whether a slash after these tokens begins a pattern: behind a value it divides. */
function mayBePattern(
  script: string,
  { count, kind, start, end }: Pick<Tokens, 'count' | 'kind' | 'start' | 'end'>,
): boolean {
  if (count === 0) return true
  const of = kind[count - 1]
  const before = script.slice(start[count - 1], end[count - 1])
  if (of === name) return beforeValue.test(before)
  return of === mark && !/^[)\]}]/.test(before) && before.length === 1
}

const longestPattern = 1024

/** The end of a pattern without its flags; of a slash alone where the line ends first. */
function patternEnd(script: string, start: number): number {
  const most = Math.min(script.length, start + longestPattern)
  let isInClass = false
  for (let at = start + 1; at < most; at++) {
    const code = script.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === newline) break
    else if (code === 91) isInClass = true
    else if (code === 93) isInClass = false
    else if (code === slash && !isInClass) return at + 1
  }
  return start + 1
}

/** In place of a count of braces: what is read is the text of a template. */
const inText = -1

/** Templates inside each other; one with more of them has no end. */
const mostTemplates = 10_000

/** The end of a template, past the expressions inside it, which may hold others. */
function templateEnd(script: string, start: number): number {
  /** The templates and expressions around a place; of each expression, how many braces are open in it. */
  const around = [inText]
  /** The last character of an expression that is no blank and in no comment. */
  let before = start
  for (let at = start + 1; at < script.length; at++) {
    const code = script.charCodeAt(at)
    const last = around.length - 1
    const braces = around[last] ?? 0
    if (code === backslash) at += 1
    else if (braces === inText) {
      if (code === backtick) around.pop()
      else if (code === 36 && script.charCodeAt(at + 1) === 123) {
        around.push(0)
        at += 1
      }
      if (around.length === 0) return at + 1
      if (around.length > mostTemplates) break
    } else if (code === backtick) around.push(inText)
    else if (code === quote || code === apostrophe) at = shortStringEnd(script, at, code)
    else if (code === slash && isCommentAt(script, at)) {
      at = commentEnd(script, at) - 1
      continue
    } else if (code === slash && mayBePatternBehind(script, before)) at = patternEnd(script, at) - 1
    else if (code === 123) around[last] = braces + 1
    else if (code === 125 && braces === 0) around.pop()
    else if (code === 125) around[last] = braces - 1
    if (code > 32) before = at
  }
  return script.length
}

const longestWord = 12
const endsOfValues = ')]}"\'`'

/** The same of a slash behind a character of an expression in a template. */
function mayBePatternBehind(script: string, before: number): boolean {
  let from = before + 1
  while (before - from < longestWord && isWord(script.charCodeAt(from - 1))) from -= 1
  if (from > before) return !endsOfValues.includes(script[before] ?? '')
  return beforeValue.test(script.slice(from, before + 1))
}

const longestString = 1024

/** Where a string in a template ends; where it begins if it is none, or a long one. */
function shortStringEnd(script: string, start: number, close: number): number {
  const most = Math.min(script.length, start + longestString)
  for (let at = start + 1; at < most; at++) {
    const code = script.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === close) return at
    else if (code === newline) break
  }
  return start
}

/** Finds the partner of every bracket in one pass; one that is closed by another kind has none. */
function pair(script: string, { count, kind, start, after }: Tokens): void {
  const open: number[] = []
  for (let index = 0; index < count; index++) {
    if (kind[index] !== mark) continue
    const char = script[start[index] ?? 0] ?? ''
    if (char === '(' || char === '[' || char === '{') open.push(index)
    else if (char === ')' || char === ']' || char === '}') {
      const from = open.pop()
      if (from !== undefined && script[start[from] ?? 0] === { ')': '(', ']': '[', '}': '{' }[char])
        after[from] = index + 1
    }
  }
}
