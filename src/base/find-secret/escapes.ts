/** Matches escapes of JSON and JavaScript, of addresses and of HTML. Repetitions are bounded: the time is in proportion to the text. */
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

/** The text with one level of escapes undone. Bytes of percent escapes become one character each. */
export function unescapeOnce(text: string): string {
  if (!/[\\%&]/.test(text)) return text
  return text.replace(escapes, (written, ...rest) => meaningOf(rest.at(-1)) ?? written)
}

/** Levels of escapes that are undone at most. */
export const mostLevels = 4

export function unescapeAll(text: string): string {
  let read = text
  for (let level = 0; level < mostLevels; level += 1) read = unescapeOnce(read)
  return read
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
