const shownLines = 12
const longestLine = 300

/** The end of what a program has printed, for the reader of an error: each line indented, nothing where there is none. */
export function lastLines(log: string, clean: (text: string) => string): string {
  const lines = clean(log)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-shownLines)
  if (lines.length === 0) return '\n  it printed nothing'
  return `\n  its last lines:${lines.map((line) => `\n  | ${line.slice(0, longestLine)}`).join('')}`
}
