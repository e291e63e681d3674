import { expect, test } from 'vitest'
import { changeMembers, replaceInStrings } from './edit-json.ts'

test.each([
  ['replaces a value', '{ "a" : 1 , "b":{"a":2}}', { a: 'x' }, '{ "a" : "x" , "b":{"a":2}}'],
  ['replaces every duplicate', '{"a":1,"a":[2,{"a":3}]}', { a: null }, '{"a":null,"a":null}'],
  [
    'replaces an escaped name',
    String.raw`{"\u0061":1,"b\/":"c\/"}`,
    { a: 2 },
    String.raw`{"\u0061":2,"b\/":"c\/"}`,
  ],
  ['removes the first member', '{"a":",","b":2}', { a: undefined }, '{"b":2}'],
  ['removes the last member', '{"b":"}","a":{}}', { a: undefined }, '{"b":"}"}'],
  ['adds to an empty object', ' {} ', { a: 1 }, ' {"a":1} '],
  [
    'keeps a long number',
    '{"n":12345678901234567890,"e":1.0}',
    { a: '$&' },
    '{"n":12345678901234567890,"e":1.0,"a":"$&"}',
  ],
])('%s', (_, before, changes, after) => {
  expect(changeMembers(before, changes)).toBe(after)
})

test.each(['', '[]', 'null', '"{}"', '{', '{"a":1}}'])('changes no %s', (text) => {
  expect(changeMembers(text, { a: 1 })).toBeNull()
})

test('replaces inside values, not in names', () => {
  expect(replaceInStrings('{"ann":"id:ann","x":["\\u0061nn", "an"]}', 'ann', '$1')).toBe(
    '{"ann":"id:$1","x":["$1", "an"]}',
  )
})
