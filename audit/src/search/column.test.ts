import { expect, test } from 'vitest'
import { columnOf } from './column.ts'

test('columns are counted in UTF-16 units from the start of the line, in any order', () => {
  const lines = ['let a = 1', `${'ü𝒳'.repeat(3000)} b`, '', 'c']
  const text = lines.join('\n')
  const bytes = Buffer.from(text)
  for (const place of ['c', ' b', '𝒳', 'let']) {
    const at = place === 'c' ? text.length - 1 : text.indexOf(place)
    const expected = at - text.lastIndexOf('\n', at - 1)
    expect(columnOf(bytes, Buffer.byteLength(text.slice(0, at)))).toBe(expected)
  }
})
