import { expect, test } from 'vitest'
import { tokenize } from './tokenize.ts'

test('a script ends where it ends, however much is asked for', () => {
  expect(tokenize('f(x)', 0, 4_000_000)).toMatchObject({ count: 4, next: 4 })
})
