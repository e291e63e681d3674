import { hexEscapes, plain, textEncodings, unicodeEscapes } from '../encodings.ts'
import { type Injector, none, textOf, type Wish } from '../injector.ts'

const quoted = (text: string) => `"${text}"`
const pieces = (key: string, first: number, second: number) => [
  key.slice(0, first),
  key.slice(first, second),
  key.slice(second),
]

/** Expressions that come to the key when they run, as developers and bundlers write them. */
const expressions: Readonly<Record<string, (key: string) => string>> = {
  concatenation: (key) => pieces(key, 3, 8).map(quoted).join(' + '),
  'concatenation over variables': (key) => {
    const [first, second, third] = pieces(key, 5, 11).map(quoted)
    return `((a) => a)((() => { const p = ${first}; const q = p + ${second}; return q + ${third} })())`
  },
  template: (key) => {
    const [first, second, third] = pieces(key, 4, 8)
    return `\`\${"${first}"}${second}\${"${third}"}\``
  },
  join: (key) => `[${key.split('_').map(quoted).join(', ')}].join("_")`,
  'character codes': (key) => `String.fromCharCode(${[...Buffer.from(key)].join(', ')})`,
  'reversed at run time': (key) => `"${[...key].reverse().join('')}".split("").reverse().join("")`,
  'atob of pieces': (key) => {
    const text = Buffer.from(key).toString('base64')
    return `atob("${text.slice(0, 5)}" + "${text.slice(5)}")`
  },
}

export const javascriptSlots: Injector['slots'] = [
  { slot: 'string literal', encodings: [...textEncodings, hexEscapes, unicodeEscapes] },
  { slot: 'template literal', encodings: [plain] },
  { slot: 'comment', encodings: [plain] },
  ...Object.keys(expressions).map((slot) => ({ slot, encodings: [plain] })),
]

export function statementOf(wish: Wish): string {
  const text = textOf(wish)
  if (wish.slot === 'string literal') return `;void "${text}";`
  if (wish.slot === 'template literal') return `;void \`${text}\`;`
  if (wish.slot === 'comment') return `/* ${text} */`
  return `;void (${expressions[wish.slot]?.(wish.key) ?? `"${text}"`});`
}

/** Statements at the end: valid in scripts and modules alike. */
export const javascript: Injector = {
  format: 'javascript',
  by: 'name',
  recognises: (name, bytes) =>
    /\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name) && !bytes.subarray(0, 65_536).includes(0),
  slots: javascriptSlots,
  inject: (bytes, wishes) => ({
    bytes: Buffer.concat([bytes, Buffer.from(`\n${wishes.map(statementOf).join('\n')}\n`)]),
    refused: none,
  }),
}
