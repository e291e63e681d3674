import type { Terminal } from '../../run/options.ts'

/** Lines at the end of a terminal that are written again where they are. */
export function createLiveLines(terminal: Terminal) {
  let drawn: readonly string[] = []
  const erased = () => {
    // A terminal that was made narrower since has wrapped them.
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / terminal.columns))
    const rows = drawn.reduce((sum, line) => sum + rowsOf(line), 0)
    return rows === 0 ? '' : `\u001b[${rows}F\u001b[J`
  }
  return {
    draw(lines: readonly string[]) {
      terminal.write(`${erased()}${lines.map((line) => `${line}\n`).join('')}`)
      drawn = lines
    },
    erase() {
      terminal.write(erased())
      drawn = []
    },
  }
}

/** From here on, most characters are two columns wide. */
const firstWide = 0x1100

export function widthOf(text: string): number {
  let width = 0
  for (const character of text)
    width += (character.codePointAt(0) ?? 0) >= firstWide && !narrow.test(character) ? 2 : 1
  return width
}

/** The characters that draw progress. */
const narrow = /[\u2010-\u2027\u2500-\u259f]/
