interface Line {
  readonly end: number
  readonly text: string
}

/** Characters that may stand for bytes, with the texts that they may stand for. */
export interface EncodedRun {
  readonly written: string
  readonly encoding: 'base64' | 'hexadecimal' | 'character codes'
  /** One byte a character. */
  meanings(): readonly string[]
}

/** Shorter lines are words of a text rather than lines of wrapped base64; only its last one may be. */
const run = /[A-Za-z0-9+/_-]{8,}={0,2}/g
const lineBreak = /^[ \t\r]*\n\s{0,40}$/
const shortLine = /[ \t\r]*\n\s{0,40}([A-Za-z0-9+/_-]{1,7}={0,2})/y
const hexRun = /[0-9a-f]{12,}/gi
/** Pairs of hexadecimal digits, each behind a mark or a separator. The repetition is bounded for the sake of its stack. */
const separatedHex = /(?:(?:0x|\\x)?[0-9a-f]{2}[\s:;,._-]{1,3}){5,4000}(?:0x|\\x)?[0-9a-f]{2}/gi
const codeList = /(?:\d{1,3}\s{0,2},\s{0,24}){5,4000}\d{1,3}/g

/** Every run of a text that may encode at least so many characters. Takes time in proportion to the text. */
export function* encodedRuns(text: string, characters: number): Generator<EncodedRun> {
  const shortest = Math.ceil((characters * 4) / 3)
  let lines: Line[] = []
  for (const { index: start, 0: letters } of text.matchAll(run)) {
    if (letters.length >= shortest) yield base64Run(letters)
    const before = lines.at(-1)
    const continues =
      before !== undefined && start - before.end <= 44 && lineBreak.test(text.slice(before.end, start))
    if (!continues) {
      yield* wrappedRun(text, lines)
      lines = []
    }
    lines.push({ end: start + letters.length, text: letters })
  }
  yield* wrappedRun(text, lines)
  for (const [digits] of text.matchAll(hexRun)) if (digits.length >= 2 * characters) yield hexRunOf(digits)
  for (const [listed] of text.matchAll(separatedHex)) yield hexRunOf(listed.replace(/0x|\\x|[^0-9a-f]/gi, ''))
  for (const [written] of text.matchAll(codeList))
    yield {
      written,
      encoding: 'character codes',
      meanings: () => [String.fromCharCode(...written.split(',').map(Number))],
    }
}

function* wrappedRun(text: string, whole: readonly Line[]): Generator<EncodedRun> {
  const lines = [...whole.map((line) => line.text), ...lineBehind(text, whole.at(-1))]
  if (lines.length > 1) yield base64Run(lines.join(''))
}

function lineBehind(text: string, line: Line | undefined): string[] {
  if (line === undefined) return []
  shortLine.lastIndex = line.end
  return shortLine.exec(text)?.slice(1) ?? []
}

/** At each alignment, since other letters may stand before. */
function base64Run(written: string): EncodedRun {
  const meanings = () =>
    [0, 1, 2, 3].map((skip) => Buffer.from(written.slice(skip), 'base64').toString('latin1'))
  return { written, encoding: 'base64', meanings }
}

function hexRunOf(written: string): EncodedRun {
  const meanings = () => [0, 1].map((skip) => Buffer.from(written.slice(skip), 'hex').toString('latin1'))
  return { written, encoding: 'hexadecimal', meanings }
}
