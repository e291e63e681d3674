const opening = 'eval("'
const longestBefore = 40

/**
 * Writes the scripts that a script runs as they are in place of the calls that run them, as builds for development have
 * their modules: together they are one program. Every other place stays where it is. `null` where there are none.
 */
export function withEvalsInlined(text: string): string | null {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
    const before = text.slice(Math.max(0, at - longestBefore), at).trimEnd()
    if (at < from || !'{};'.includes(before.at(-1) ?? ';')) continue
    const end = closingQuote(text, at + opening.length)
    if (text[end + 1] !== ')') continue
    const code = codeOf(text.slice(at + opening.length - 1, end + 1))
    if (code === null) continue
    // A comment at its end ends there.
    pieces.push(text.slice(from, at), `${code}\n`.padEnd(end + 2 - at))
    from = end + 2
  }
  return from === 0 ? null : pieces.join('') + text.slice(from)
}

/** The end of a text where there is none. */
function closingQuote(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return at
}

/** Reads a literal as bundlers write it. The block around a module would hide its names from what reads its exports. */
function codeOf(literal: string): string | null {
  try {
    const code = String(JSON.parse(literal))
    return code.startsWith('{') && code.endsWith('}') ? ` ${code.slice(1, -1)};` : code
  } catch {
    return null
  }
}
