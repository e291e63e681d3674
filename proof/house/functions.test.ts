import { expect, test } from 'vitest'
import { conditionalSpreadsOf, longFunctionsOf } from './functions.ts'
import { isProduct, listSources, longFunctionLines } from './sources.ts'

const product = listSources().filter(isProduct)

test('reports a function with its name and its lines', () => {
  const body = '  a += 1\n'.repeat(3)
  const text = `let a = 0\nfunction short() {}\nexport const long = () => {\n${body}}\n`
  expect(longFunctionsOf({ path: 'src/a.ts', text }, 4)).toEqual([
    { path: 'src/a.ts', line: 3, name: 'long', lines: 5 },
  ])
  expect(longFunctionsOf({ path: 'src/a.ts', text }, 5)).toEqual([])
})

test('reports spreads that leave a member out', () => {
  const text =
    'const a = { ...(b === undefined ? {} : { b }), ...(c ? { c } : {}), ...(g && { g }), ...d, ...(e ? f : g) }'
  expect(conditionalSpreadsOf({ path: 'src/a.ts', text })).toEqual(['src/a.ts:1', 'src/a.ts:1', 'src/a.ts:1'])
})

test('no function of the product is too long for a reader', () => {
  expect(product.flatMap((source) => longFunctionsOf(source, longFunctionLines))).toEqual([])
})

test('no spread of the product leaves a member out: types admit undefined, or omitUndefined drops it', () => {
  expect(product.flatMap(conditionalSpreadsOf)).toEqual([])
})
