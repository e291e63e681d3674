import { expect, test } from 'vitest'
import { countRepeatedLines } from './repeated.ts'
import { measureWay } from './ways.ts'

test('a way has the files that are loaded, and no file of types alone', () => {
  const sources = [
    { path: 'src/run.ts', text: "import { a } from './base/a.ts'\nimport type { C } from './base/c.ts'" },
    { path: 'src/base/a.ts', text: "export { b } from '../other/b.ts'" },
    { path: 'src/other/b.ts', text: 'export const b = 1' },
    { path: 'src/base/c.ts', text: 'export type C = 1' },
  ]
  expect(measureWay('src/run.ts', sources)).toEqual({ files: 3, folders: 3, deepest: 3 })
})

test('eight lines that stand twice are counted twice, and seven are not', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `call${index}()`).join('\n')
  const twice = (count: number) => [
    { path: 'a.ts', text: `start()\n${lines(count)}` },
    { path: 'b.ts', text: `begin()\n\n${lines(count)}` },
  ]
  expect(countRepeatedLines(twice(8))).toBe(16)
  expect(countRepeatedLines(twice(7))).toBe(0)
})
