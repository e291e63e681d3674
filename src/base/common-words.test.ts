import { expect, test } from 'vitest'
import { withoutCommonWords } from './common-words.ts'

test.each([
  ['answers 401|answers 500 with a token', 'answers 401|500 with a token'],
  ['the key when it answers 401|the key when it answers 403', 'the key when it answers 401|403'],
  ['answers 200|answers 200 with an error', 'answers 200|200 with an error'],
  ['a path with a dot|a query', 'a path with a dot|a query'],
  ['no session|no token', 'no session|no token'],
  ['one alone', 'one alone'],
])('%s is listed as %s', (names, listed) => {
  expect(withoutCommonWords(names.split('|')).join('|')).toBe(listed)
})
