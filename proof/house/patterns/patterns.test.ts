import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listSources, type Source } from '../sources.ts'
import { type Analysed, analysedFile } from './analysed.ts'
import { assembled, bounded } from './bounded.ts'
import { listAssemblers, listPatterns } from './list-patterns.ts'

const sources = listSources()
const analysed: Analysed = JSON.parse(readFileSync(analysedFile, 'utf8'))

test('every pattern of the product is analysed, or bounded in writing: npm run patterns', () => {
  const known = new Set([...Object.keys(analysed), ...Object.keys(bounded)])
  const unknown = [...listPatterns(sources)].filter(([key]) => !known.has(key))
  expect(unknown.map(([key, { files }]) => `${key} in ${files.join(', ')}`)).toEqual([])
})

test('no list names a pattern that the product no longer has, and none names one twice', () => {
  const patterns = listPatterns(sources)
  const listed = [...Object.keys(analysed), ...Object.keys(bounded)]
  expect(listed.filter((key) => !patterns.has(key))).toEqual([])
  expect(Object.keys(bounded).filter((key) => key in analysed)).toEqual([])
})

test('every file that assembles a pattern says what its pieces are', () => {
  expect(listAssemblers(sources)).toEqual(Object.keys(assembled).toSorted())
})

const written = (path: string, text: string): Source[] => [{ path, text }]

test('finds a literal wherever it stands, each once, without its indices', () => {
  const text = "const a = /b+$/d\nuse([''.replace(/b+$/, ''), [/c/gi]])"
  expect([...listPatterns(written('src/a.ts', text)).keys()]).toEqual(['/b+$/', '/c/gi'])
})

test.each(['src/a.test.ts', 'src/testing/a.ts', 'src/cli/a.docker.ts', 'fixtures/a.ts'])(
  'leaves %s out, which reads no text of a peer',
  (path) => {
    expect(listPatterns(written(path, 'const a = /b+$/')).size).toBe(0)
  },
)

test('finds patterns that a file assembles', () => {
  expect(listAssemblers(written('src/a.ts', 'const a = new RegExp(b)'))).toEqual(['src/a.ts'])
  expect(listAssemblers(written('src/a.ts', 'const a = RegExp(b)'))).toEqual(['src/a.ts'])
  expect(listAssemblers(written('src/a.ts', 'const a: RegExp = /b/'))).toEqual([])
})
