import type { Encoding } from '../src/self-test/canary.ts'

const text = (name: string, encode: (key: string) => string): Encoding => ({
  name,
  encode: (key) => Buffer.from(encode(key), 'latin1'),
})

const base64 = (before: string) => (key: string) => Buffer.from(before + key).toString('base64')
const hex = (key: string) => Buffer.from(key).toString('hex')

export const plain = text('plain', (key) => key)

/** Written with ASCII characters alone, so that any string of any format can hold them. */
export const textEncodings: readonly Encoding[] = [
  plain,
  text('base64, first alignment', base64('')),
  text('base64, second alignment', base64('x')),
  text('base64, third alignment', base64('xy')),
  text('hex', hex),
  text('hex in capitals', (key) => hex(key).toUpperCase()),
  text('percent', (key) => hex(key).replace(/../g, '%$&')),
  text('one character in percent', (key) => key.replace(/(?<=^..)./, (char) => `%${hex(char)}`)),
  text('reversed', (key) => [...key].reverse().join('')),
  text('base64 in base64', (key) => base64('')(base64('')(key))),
  text('hex of base64', (key) => hex(base64('x')(key))),
]

export const characterReferences = text('character references', (key) =>
  [...key].map((char) => `&#${char.charCodeAt(0)};`).join(''),
)
export const unicodeEscapes = text('\\u escapes', (key) =>
  [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
)
export const hexEscapes = text('\\x escapes', (key) => hex(key).replace(/../g, '\\x$&'))
