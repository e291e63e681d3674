import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assemble } from './assemble.ts'
import { kernelModule } from './build.ts'

test('the committed bytes are those of the source', () => {
  expect(readFileSync(join(import.meta.dirname, 'bytes.ts'), 'utf8')).toBe(kernelModule())
})

test('the assembler refuses what it does not know', () => {
  expect(() => assemble('(module (func (export "f") (f32.add)))')).toThrow('f32.add')
  expect(() => assemble('(module (func (export "f") (local.get $nothing)))')).toThrow('$nothing')
  expect(() => assemble('(module')).toThrow('parenthesis')
})
