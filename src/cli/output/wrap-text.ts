const longestLine = 100

/** Breaks a text into lines of at most so many columns; a longer word stays whole. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** The same, indented, with at most 100 columns, or those of a narrower terminal; both indents are as long. */
export function wrapText(text: string, first = '  ', rest = '  ', width = longestLine): string {
  const lines = wrap(text, Math.min(width, longestLine) - rest.length)
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`).join('\n')
}
