import { expect, test } from 'vitest'
import { findHeavyOpenings } from './openings.ts'
import { listSources } from './sources.ts'

test.each([
  ['a block', '/** What was found twice. */', 'comment'],
  ['a line', '// Whether it is there.\nconst a = 1', 'comment'],
  ['a longer block', '/**\n * Of two readers, the first.\n */', 'comment'],
  ['a title', "test('what was found is kept', () => {})", 'title'],
  ['a title of many', "test.each([1])('that it holds', () => {})", 'title'],
])('rejects %s that begins with a relative clause', (_, text, kind) => {
  expect(findHeavyOpenings({ path: 'src/a.test.ts', text })).toMatchObject([{ line: 1, kind }])
})

test.each([
  ['a verb', '/** Removes what was found twice. */'],
  ['the second line of a comment', '// Removes duplicates,\n// of which there are many.\nconst a = 1'],
  ['a text in a string', "const a = '// What is this'"],
  ['a title', "test('reports a gap for a zip bomb', () => {})"],
])('accepts %s', (_, text) => {
  expect(findHeavyOpenings({ path: 'src/a.test.ts', text })).toEqual([])
})

test('every comment and every title of a test begins with a verb or a noun', () => {
  const found = listSources().flatMap(findHeavyOpenings)
  expect(found.map(({ path, line, text }) => `${path}:${line}: ${text}`)).toEqual([])
})
