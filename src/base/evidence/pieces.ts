/** A part of a text: letters and digits, or what stands between them. */
export interface Piece {
  readonly kind: 'run' | 'between'
  /** As it is written. */
  readonly source: string
  /** As something that undoes escapes reads it. */
  readonly text: string
}

/** Signs that are no letters. A run has all else: letters of every script, signs that look like them, what is not shown. */
const between = /^[\s!-/:-@[-`{-~ §«»°·–—‘’“”„•…′→×−✓✗€£©®™]$/u

/** Letters at once, an escape of JSON, of an address or of HTML, or a character. */
const sign =
  /[A-Za-z0-9]+|\\(?<backslash>\\)|\\u(?<unit>[0-9a-fA-F]{4})|\\x(?<byte>[0-9a-fA-F]{2})|\\(?<control>[nrtbfv])|%(?<percent>[0-9a-fA-F]{2})|&#[xX](?<hex>[0-9a-fA-F]{1,6});|&#(?<decimal>\d{1,7});|&(?<entity>amp|lt|gt|quot|apos|nbsp|lsquo|rsquo|ldquo|rdquo|hellip|mdash|ndash|middot|bull|copy|raquo|laquo);|[\s\S]/gu

/** Cuts a text into pieces that put together give it again. */
export function cutIntoPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let [kind, source, read]: [Piece['kind'], string, string] = ['between', '', '']
  for (const { 0: written, groups = {} } of text.matchAll(sign)) {
    const character = readSign(written, groups)
    const next = written.length === 1 || character.length === 1 ? kindOf(character) : 'run'
    if (next !== kind && source !== '') {
      pieces.push({ kind, source, text: read })
      ;[source, read] = ['', '']
    }
    kind = next
    source += written
    read += character
  }
  if (source !== '') pieces.push({ kind, source, text: read })
  return pieces
}

function kindOf(character: string): Piece['kind'] {
  return between.test(character) ? 'between' : 'run'
}

function readSign(written: string, groups: Readonly<Record<string, string | undefined>>): string {
  const { backslash, unit, byte, control, percent, hex, decimal, entity } = groups
  if (backslash !== undefined) return backslash
  if (control !== undefined) return ' '
  if (entity !== undefined) return /nbsp/i.test(entity) ? ' ' : '.'
  const digits = unit ?? byte ?? percent ?? hex
  const code =
    digits === undefined ? (decimal === undefined ? null : Number(decimal)) : Number.parseInt(digits, 16)
  return code === null || code > 0x10ffff ? written : String.fromCodePoint(code)
}
