const longestLine = 100

/** Breaks a text into indented lines of at most 100 columns, or those of a narrower terminal; a longer word stays whole. */
export function wrapText(text: string, first = '  ', rest = '  ', width = longestLine): string {
  const columns = Math.min(width, longestLine)
  const lines: string[] = []
  let line = first
  let empty = true
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (!empty && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = rest
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line].join('\n')
}
