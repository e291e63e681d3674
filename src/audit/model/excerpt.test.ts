import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const prefix = 'ac_live_'
/** The surroundings of a finding that is written as `<>`. */
const around = (text: string) => ({
  text: text.replace('<>', 'KEY'),
  start: text.indexOf('<>'),
  end: text.indexOf('<>') + 3,
})

test('what reads like words is shown, on both sides', () => {
  expect(excerptOf(around('const key = "<>" // send it'), prefix)).toEqual({
    of: 'text',
    before: 'const key = "',
    after: '" // send it',
  })
})

test.each([
  [
    'a first piece with a few characters',
    `use("<>"); fetch("${prefix}tQu" + "nnMaGWqlUBmD75ah7ws6Z")`,
    ['tQu', 'nnMa'],
  ],
  ['a piece that reads like a word', `use("<>"); a("${prefix}sun" + "day")`, ['sun']],
  ['a whole key', `a("${prefix}9fK2mPq7Rt4Vw8Xy1Zb3"); use("<>")`, ['9fK2']],
])('of another key, %s is not shown', (_, text, pieces) => {
  const { before = '', after = '' } = excerptOf(around(text), prefix) ?? {}
  for (const piece of pieces) expect(before + after).not.toContain(piece)
  expect(before + after).toContain('…')
})
