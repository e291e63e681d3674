import { expect, test } from 'vitest'
import { tokensOf } from './tokenize.ts'

test('a script ends where it ends, however much is asked for', () => {
  expect(tokensOf('f(x)', 0, 4_000_000)).toMatchObject({ count: 4, next: 4 })
})
