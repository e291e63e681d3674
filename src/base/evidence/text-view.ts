import { shapeless } from '../printable.ts'

/** A text as something else reads it, with the place in the source of each of its characters. */
export interface TextView {
  readonly text: string
  /** By index; one more than there are characters, so that it tells where the last one ends. Null: the source itself. */
  readonly places: Uint32Array | null
}

/** Where the character at `index` of a view begins in the source. */
export function placeOf({ places }: TextView, index: number): number {
  return places === null ? index : (places[index] ?? 0)
}

/**
 * Escapes of JSON and JavaScript, of addresses and of HTML. Every repetition is bounded, so that the search takes time in
 * proportion to the text.
 */
const escapes =
  /\\(?:u\{(?<braced>[0-9a-f]{1,10})\}|u(?<unit>[0-9a-f]{4})|x(?<byte>[0-9a-f]{2})|(?<octal>[0-3]?[0-7]{1,2})|(?<literal>[\s\S]))|%u(?<percentUnit>[0-9a-f]{4})|%(?<percent>[0-9a-f]{2})|&(?:#x(?<hex>[0-9a-f]{1,10})|#(?<decimal>\d{1,10})|(?<entity>[a-z]{2,8}));?/gi

const controls: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
}

/** The named characters that occur in keys, tokens, addresses and passwords. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  gt: '>',
  hyphen: '-',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rpar: ')',
  semi: ';',
  sol: '/',
  tilde: '~',
}

/** The text with one level of escapes undone; null where it has none. Bytes of percent escapes become one character each. */
export function unescapeView(view: TextView): TextView | null {
  if (!/[\\%&]/.test(view.text)) return null
  return replaceIn(view, escapes, ({ groups = {} }) => meaningOf(groups))
}

/**
 * The text without what a reader does not see: a peer may put some into a secret, and UTF-16 read as bytes is full of
 * zeros. Null where there is none.
 */
export function dropInvisible(view: TextView): TextView | null {
  return view.text.search(shapeless) < 0 ? null : replaceIn(view, shapeless, () => '')
}

/** Null where nothing is replaced; a match whose replacement is null stays. */
function replaceIn(
  view: TextView,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | null,
): TextView | null {
  const places = new Uint32Array(view.text.length + 1)
  let length = 0
  let text = ''
  let from = 0
  const keep = (until: number) => {
    for (let index = from; index < until; index += 1) places[length++] = placeOf(view, index)
    text += view.text.slice(from, until)
  }
  for (const match of view.text.matchAll(pattern)) {
    const replacement = replace(match)
    if (replacement === null) continue
    keep(match.index)
    for (let unit = 0; unit < replacement.length; unit += 1) places[length++] = placeOf(view, match.index)
    text += replacement
    from = match.index + match[0].length
  }
  if (from === 0) return null
  keep(view.text.length)
  places[length] = placeOf(view, view.text.length)
  return { text, places: places.subarray(0, length + 1) }
}

function meaningOf(groups: Readonly<Record<string, string | undefined>>): string | null {
  const { braced, unit, byte, octal, literal, percentUnit, percent, hex, decimal, entity } = groups
  if (literal !== undefined) return controls[literal] ?? literal
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? null
  const code =
    octal !== undefined
      ? Number.parseInt(octal, 8)
      : decimal !== undefined
        ? Number(decimal)
        : Number.parseInt(braced ?? unit ?? byte ?? percentUnit ?? percent ?? hex ?? '', 16)
  return code > 0x10ffff ? null : String.fromCodePoint(code)
}

/** Every level of escapes undone, at most this many. */
export const mostLevels = 4

export function unescapeAll(text: string): string {
  let view: TextView = { text, places: null }
  for (let level = 0; level < mostLevels; level += 1) {
    const next = unescapeView(view)
    if (next === null) break
    view = next
  }
  return view.text
}

/** The last text that was turned: each is searched for several groups of secrets, one after the other. */
let turned = { text: '', reversed: '' }

/** The text backwards, by UTF-16 units. */
export function reverseText(text: string): string {
  if (text === turned.text) return turned.reversed
  if (text === turned.reversed) return turned.text
  turned = { text, reversed: reverseUnits(text) }
  return turned.reversed
}

function reverseUnits(text: string): string {
  const units = new Uint16Array(text.length)
  for (let index = 0; index < text.length; index += 1) units[text.length - 1 - index] = text.charCodeAt(index)
  return Buffer.from(units.buffer).toString('utf16le')
}
