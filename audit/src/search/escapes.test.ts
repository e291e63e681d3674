import { expect, test } from 'vitest'
import { escapeOf } from './escapes.ts'

const isEscape = escapeOf('ac_live_')
const at = (text: string, offset = 0) => isEscape(Buffer.from(text, 'latin1'), offset)

test.each([
  ['%61', '%6C', '%5f', '%61c_live_'],
  ['\\x61', '\\X6c', '\\x5F', '\\u005f', '\\U0063', '\\u{61}', '\\u{000006C}'],
  ['\\141', '\\137', '\\1411'],
  ['&#x61;', '&#X06c;', '&#97;', '&#0099;', '&#108', '&#x00000000000000000000000061;'],
])('reads an escape of one of the characters: %s, and the like', (...texts) => {
  for (const text of texts) {
    expect([text, at(text)]).toEqual([text, true])
    expect([text, at(`a${text}`, 1)]).toEqual([text, true])
  }
})

test.each([
  ['another character', ['%62', '\\x7a', '\\u0062', '\\u{62}', '\\142', '&#x62;', '&#98;']],
  [
    'no escape',
    ['a', '\\', '%', '&', '%zz', '%6', '\\x6', '\\u00', '\\u006', '\\u0161', '\\u{', '\\n', '&97;', '&x61;'],
  ],
  ['digits of another base', ['\\191', '&#9a;', '&#x9g;']],
  ['the end of the bytes', ['&#', '&#x', '&#000', '\\u{0']],
])('%s is none', (_, texts) => {
  for (const text of texts) expect([text, at(text)]).toEqual([text, false])
})
