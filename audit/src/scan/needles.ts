/** How the characters of a text are laid out in bytes. MUTF-8, Latin-1 and ASCII read like `utf-8` here. */
export type View = 'utf-8' | 'utf-16le' | 'utf-16be'
export type Form = 'plain' | 'reversed' | 'base64' | 'hex' | 'escaped' | 'jwt' | 'mint-path'

/** A byte sequence that betrays something, and how to read what is around it. */
export interface Needle {
  readonly bytes: Buffer
  readonly form: Form
  readonly view: View
  /** For base64: which character of a group of four the needle begins with. */
  readonly phase: number
}

/** As many bytes of a needle are looked for first. None is shorter. */
export const markLength = 4

const wide: readonly View[] = ['utf-16le', 'utf-16be']
const views: readonly View[] = ['utf-8', ...wide]

/** How the header of a JWS or JWE begins, by its first parameter, with and without a space. */
const joseHeaders = [
  'alg',
  'typ',
  'kid',
  'cty',
  'enc',
  'jku',
  'jwk',
  'x5t',
  'x5u',
  'x5c',
  'zip',
  'epk',
  'cri',
  'b64',
  'ver',
]
  .flatMap((name) => [`{"${name}"`, `{ "${name}`])
  .map((text) => Buffer.from(text).toString('base64').slice(0, 8))

/** Every form in which the prefix of a key or the path of the mint endpoint is looked for. */
export function needlesFor(prefix: string): Needle[] {
  const hex = Buffer.from(prefix).toString('hex')
  const texts: [Form, string, number][] = [
    ['plain', prefix, 0],
    ['reversed', [...prefix].reverse().join(''), 0],
    ['hex', hex, 0],
    ['hex', hex.toUpperCase(), 0],
    ...[0, 1, 2].map((shift): [Form, string, number] => ['base64', ...base64At(prefix, shift)]),
    ['mint-path', 'v1/calling/token', 0],
    ['mint-path', 'v1\\/calling\\/token', 0],
    ['mint-path', 'v1%2Fcalling%2Ftoken', 0],
    ['mint-path', 'v1%2fcalling%2ftoken', 0],
    ['mint-path', 'v1\\u002Fcalling\\u002Ftoken', 0],
    ['mint-path', 'v1\\u002fcalling\\u002ftoken', 0],
    ...joseHeaders.map((text): [Form, string, number] => ['jwt', text, 0]),
  ]
  const everywhere = texts.map((text) => [views, ...text] as const)
  const escapes = escapesOf(prefix).map((text) => [wide, 'escaped', text, 0] as const)
  const seen = new Set<string>()
  return [...everywhere, ...escapes].flatMap(([views, form, text, phase]) =>
    views
      .map((view) => ({ bytes: encoded(text, view), form, view, phase }))
      .filter(({ bytes }) => {
        const key = bytes.toString('latin1')
        return seen.has(key) ? false : seen.add(key) !== undefined
      }),
  )
}

function encoded(text: string, view: View): Buffer {
  if (view === 'utf-8') return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return view === 'utf-16be' ? bytes.swap16() : bytes
}

/** The characters that the prefix alone decides, when so many bytes are before it in the same base64 text. */
export function base64At(prefix: string, shift: number): [text: string, phase: number] {
  const whole = Buffer.from(`${'\0'.repeat(shift)}${prefix}`).toString('base64')
  const first = Math.ceil((shift * 8) / 6)
  const last = Math.floor(((shift + prefix.length) * 8) / 6)
  return [whole.slice(first, last), first % 4]
}

/** The usual ways to escape each of the characters, one of which betrays a mixture. In bytes the search knows them itself. */
function escapesOf(prefix: string): string[] {
  return [...new Set(prefix)].flatMap((char) => {
    const code = char.charCodeAt(0)
    const hex = code.toString(16)
    return [
      ...[hex, hex.toUpperCase()].flatMap((digits) => [
        `%${digits}`,
        `\\x${digits}`,
        `\\u00${digits}`,
        `\\u{${digits}}`,
        `&#x${digits};`,
      ]),
      `&#${code};`,
      `\\${code.toString(8)}`,
    ]
  })
}

/** The prefix with each character written plainly or in any of the usual escapes. */
export function escapedPattern(prefix: string): RegExp {
  const chars = [...prefix].map((char) => {
    const code = char.charCodeAt(0)
    const hex = code.toString(16)
    return `(?:${char}|%${hex}|\\\\x${hex}|\\\\u00${hex}|\\\\u\\{0*${hex}\\}|\\\\${code.toString(8)}|&#x0*${hex};|&#0*${code};)`
  })
  return new RegExp(chars.join(''), 'gi')
}
