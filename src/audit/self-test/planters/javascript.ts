import { hexEscapes, plain, textEncodings, unicodeEscapes } from '../encodings.ts'
import { none, type Planter, textOf, type Wish } from '../planter.ts'

/** Expressions that come to the key when they run, as developers and bundlers write them. */
const expressions: Readonly<Record<string, (key: string) => string>> = {
  concatenation: (key) => `"${key.slice(0, 3)}" + "${key.slice(3, 8)}" + "${key.slice(8)}"`,
  'concatenation over variables': (key) =>
    `((a) => a)((() => { const p = "${key.slice(0, 5)}"; const q = p + "${key.slice(5, 11)}"; return q + "${key.slice(11)}" })())`,
  template: (key) => `\`\${"${key.slice(0, 4)}"}${key.slice(4)}\``,
  join: (key) => `["${key.slice(0, 2)}", "${key.slice(3, 7)}", "${key.slice(8)}"].join("_")`,
  'character codes': (key) => `String.fromCharCode(${[...Buffer.from(key)].join(', ')})`,
  'reversed at run time': (key) => `"${[...key].reverse().join('')}".split("").reverse().join("")`,
  'atob of pieces': (key) => {
    const text = Buffer.from(key).toString('base64')
    return `atob("${text.slice(0, 5)}" + "${text.slice(5)}")`
  },
}

export const javascriptSlots: Planter['slots'] = [
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
export const javascript: Planter = {
  format: 'javascript',
  recognises: (name, bytes) =>
    /\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name) && !bytes.subarray(0, 65_536).includes(0),
  slots: javascriptSlots,
  plant: (bytes, wishes) => ({
    bytes: Buffer.concat([bytes, Buffer.from(`\n${wishes.map(statementOf).join('\n')}\n`)]),
    refused: none,
  }),
}
