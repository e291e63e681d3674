import { expect, test } from 'vitest'
import { joinPieces } from './join-pieces.ts'

const rest = '9fK2mPq7Rt4Vw8Xy1Zb3Nc6D'
const key = `ac_live_${rest}`
const joined = (texts: readonly string[]) =>
  joinPieces(
    texts.map((text, offset) => ({ text, offset })),
    'ac_live_',
    16,
  ).map(({ text }) => text)

test.each([
  ['the prefix and the rest', ['ac_live_', rest]],
  ['the rest before the prefix', ['key: %s\n', rest, 'ac_live_', 'done']],
  ['the rest before words', [rest, 'live', 'ac', '%s_%s_%s']],
  ['words that a list joins', ['_', 'ac', 'live', rest]],
  ['words that a format joins', ['%s_%s_%s', 'ac', 'live', rest]],
  ['a pattern with the prefix', ['ac_{}_{}', 'live', rest]],
  ['a text with a mark that a word replaces', [`ac_@@_${rest}`, '@@', 'live']],
  ['chunks of any length', [`ac_live_${rest.slice(0, 3)}`, rest.slice(3, 12), rest.slice(12), 'done']],
  ['a template whose value comes first', ['live', 'ac_', `_${rest}`]],
  [
    'chunks of one length',
    [
      'ac_liv',
      `e_${rest.slice(0, 4)}`,
      rest.slice(4, 10),
      rest.slice(10, 16),
      rest.slice(16, 22),
      rest.slice(22),
    ],
  ],
])('joins %s', (_, texts) => {
  expect(joined(['Authorization', 'a text with blanks', ...texts])).toEqual([key])
})

test.each([
  ['a guard and a message', ['ac_live_', 'keys that begin with ac_live_ stay on the server']],
  ['a guard beside a test key', ['ac_live_', 'no server keys', `ac_test_${rest}`]],
  ['a guard beside a test key in pieces', ['ac_live_', 'no server keys', 'ac_test_', rest]],
  ['a guard beside a test key that words make', ['ac_live_', 'ac', 'test', rest]],
  ['a guard beside a key of others', ['ac_live_', `pk_live_${rest}`]],
  ['a guard, its message and another text', ['ac_live_', 'no server keys, please', rest]],
  ['a guard behind other texts', [rest, `ac_test_${rest}`, 'ac_live_']],
  ['a guard behind the first text that is known', [rest, 'ac_live_']],
  ['a guard and an alphabet', ['ac_live_', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']],
  ['a guard and names', ['ac_live_', 'room_player_title', 'new_lobby_2026_q3']],
  ['words far from the rest', ['ac', 'live', '1', '2', '3', '4', '5', rest]],
  ['words that spell no prefix', ['ac', 'alive', rest]],
  ['a mark without its word', [`ac_@@_${rest}`, '@@', 'lobby']],
  ['a name and chunks of others', ['ac_live_lobby', rest, 'ac_test_', rest]],
  ['chunks of names', ['ac_liv', 'e_room', 'player', 'titles', 'screen', 'go']],
])('leaves %s', (_, texts) => {
  expect(joined(texts)).toEqual([])
})

test('gives a prefix to the nearest of several texts', () => {
  const other = '7Hq2LmX9tR4vBn8Zk3Wc6P1s'
  expect(joined(['ac_live_', rest, other])).toEqual([key])
  expect(joined(['ac_live_', rest, 'ac_live_', other]).sort()).toEqual([`ac_live_${other}`, key])
})

const extentsOf = (texts: readonly string[]) =>
  joinPieces(
    texts.map((text, offset) => ({ text, offset })),
    'ac_live_',
    16,
  ).map(({ text, extent }) => [text, extent])

test('marks the end of chunks of any length behind a prefix as a guess', () => {
  const begun = [`ac_live_${rest.slice(0, 3)}`, rest.slice(3, 12), rest.slice(12)]
  expect(extentsOf([...begun, 'done'])).toEqual([[key, 'uncertain']])
  expect(extentsOf([...begun, 'Kx7mQ2'])).toEqual([[`${key}Kx7mQ2`, 'uncertain']])
})

test('marks a word behind chunks of one length as a guess', () => {
  const chunks = [
    'ac_liv',
    `e_${rest.slice(0, 4)}`,
    rest.slice(4, 10),
    rest.slice(10, 16),
    rest.slice(16, 22),
  ]
  expect(extentsOf([...chunks, 'done'])).toEqual([[`${key.slice(0, -2)}done`, 'uncertain']])
  expect(extentsOf([...chunks, rest.slice(22)])).toEqual([[key, undefined]])
  expect(extentsOf([...chunks, 'a text with blanks'])).toEqual([[key.slice(0, -2), undefined]])
})

test('marks no end of a text that is a piece by itself', () => {
  expect(extentsOf(['ac_live_', rest])).toEqual([[key, undefined]])
})
