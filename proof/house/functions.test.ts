import { expect, test } from 'vitest'
import { countConditionalSpreads, longFunctionsOf } from './functions.ts'

test('reports a function with its name and its lines', () => {
  const body = '  a += 1\n'.repeat(3)
  const text = `let a = 0\nfunction short() {}\nexport const long = () => {\n${body}}\n`
  expect(longFunctionsOf({ path: 'src/a.ts', text }, 4)).toEqual([
    { path: 'src/a.ts', line: 3, name: 'long', lines: 5 },
  ])
  expect(longFunctionsOf({ path: 'src/a.ts', text }, 5)).toEqual([])
})

test('counts spreads that leave a member out', () => {
  const text =
    'const a = { ...(b === undefined ? {} : { b }), ...(c ? { c } : {}), ...(g && { g }), ...d, ...(e ? f : g) }'
  expect(countConditionalSpreads({ path: 'src/a.ts', text })).toBe(3)
})
