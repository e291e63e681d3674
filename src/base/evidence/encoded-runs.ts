interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Characters that may stand for bytes, with the texts that they may stand for. */
export interface EncodedRun {
  readonly start: number
  readonly end: number
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
  /** Consecutive lines of one wrapped run. */
  let lines: Line[] = []
  for (const { index: start, 0: letters } of text.matchAll(run)) {
    const end = start + letters.length
    if (letters.length >= shortest)
      yield { start, end, encoding: 'base64', meanings: () => base64Meanings(letters) }
    const before = lines.at(-1)
    const continues =
      before !== undefined && start - before.end <= 44 && lineBreak.test(text.slice(before.end, start))
    if (!continues) {
      yield* wrappedRun(text, lines)
      lines = []
    }
    lines.push({ start, end, text: letters })
  }
  yield* wrappedRun(text, lines)
  for (const { index: start, 0: digits } of text.matchAll(hexRun))
    if (digits.length >= 2 * characters)
      yield {
        start,
        end: start + digits.length,
        encoding: 'hexadecimal',
        meanings: () => hexMeanings(digits),
      }
  for (const { index: start, 0: listed } of text.matchAll(separatedHex))
    yield {
      start,
      end: start + listed.length,
      encoding: 'hexadecimal',
      meanings: () => hexMeanings(listed.replace(/0x|\\x|[^0-9a-f]/gi, '')),
    }
  for (const { index: start, 0: listed } of text.matchAll(codeList))
    yield {
      start,
      end: start + listed.length,
      encoding: 'character codes',
      meanings: () => [String.fromCharCode(...listed.split(',').map(Number))],
    }
}

function* wrappedRun(text: string, whole: readonly Line[]): Generator<EncodedRun> {
  const [first] = whole
  const lines = [...whole, ...lineBehind(text, whole.at(-1))]
  const last = lines.at(-1)
  if (first === undefined || last === undefined || lines.length === 1) return
  const meanings = () => base64Meanings(lines.map((line) => line.text).join(''))
  yield { start: first.start, end: last.end, encoding: 'base64', meanings }
}

/** A last line that is shorter than the others. */
function lineBehind(text: string, line: Line | undefined): Line[] {
  if (line === undefined) return []
  shortLine.lastIndex = line.end
  const [, letters] = shortLine.exec(text) ?? []
  if (letters === undefined) return []
  return [{ start: shortLine.lastIndex - letters.length, end: shortLine.lastIndex, text: letters }]
}

/** At each alignment, since other letters may stand before. */
function base64Meanings(letters: string): string[] {
  return [0, 1, 2, 3].map((skip) => Buffer.from(letters.slice(skip), 'base64').toString('latin1'))
}

function hexMeanings(digits: string): string[] {
  return [0, 1].map((skip) => Buffer.from(digits.slice(skip), 'hex').toString('latin1'))
}
