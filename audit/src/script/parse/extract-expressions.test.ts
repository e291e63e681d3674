import { expect, test } from 'vitest'
import { ofScript, partOf } from '../../model/effort.ts'
import { extractExpressions } from './extract-expressions.ts'

const slice = 1000
const effort = (script: string) => partOf(null, ofScript(script.length))
const texts = (script: string) =>
  extractExpressions(script, 'ac_live_', effort(script), slice).expressions.map(({ name, text }) => [
    name,
    text,
  ])

const numbered = (piece: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

test('an expression is found wherever a large script is cut for reading', () => {
  const wanted = [['k', '"ac_" + "live_" + f(1)']]
  const statement = ' k: Readonly<string> = "ac_" + "live_" + f(1) '
  for (let back = -4; back < statement.length + 4; back++) {
    const filler = `${' '.repeat(slice - back - 1)};`
    expect(texts(`${filler}const${statement};`)).toEqual(wanted)
    expect(texts(`${filler}const${statement};${filler}`)).toEqual(wanted)
  }
})

test('a method is not cut off from the value that it is called on', () => {
  const cut = texts('if (!key.startsWith("ac_live_")) use(this.head + "ac_")').map(([, text]) => text)
  expect(cut).toEqual(['("ac_live_")', 'use(this.head + "ac_")'])
})

test('places are those in the whole script', () => {
  const script = `${';'.repeat(5 * 1024 * 1024)}a = "ac_" + "live_"`
  expect(extractExpressions(script, 'ac_live_', effort(script)).expressions).toEqual([
    { name: 'a', text: '"ac_" + "live_"', start: script.indexOf('"ac_"'), distance: 0 },
  ])
})

test('tokens that are longer than what is read at once are skipped', () => {
  const long = JSON.stringify('x'.repeat(100_000))
  expect(texts(`${`f(${long});`.repeat(9)}a = "ac_" + "live_"`)).toEqual([['a', '"ac_" + "live_"']])
  expect(texts(`/*${'x'.repeat(100_000)}*/a = "ac_" + "live_"`)).toEqual([['a', '"ac_" + "live_"']])
})

test('reads a repeated expression once and reports too many expressions', () => {
  const again = 'f(a + "ac_");'.repeat(200_000)
  expect(extractExpressions(again, 'ac_live_', effort(again))).toMatchObject({
    isCut: false,
    expressions: [{}],
  })
  const many = numbered((index) => `f(a${index} + "x");`, 80_000)
  expect(extractExpressions(many, 'ac_live_', effort(many)).isCut).toBe(true)
})

test.each([
  ['at its beginning', (pieces: string, rest: string) => `use([${pieces},${rest}"x"].join(""));a = {}`],
  ['in its middle', (pieces: string, rest: string) => `use([${rest}${pieces},${rest}"x"].join(""));a = {}`],
  ['at its end', (pieces: string, rest: string) => `use([${rest}${pieces}].join(""));a = {}`],
])('says so where a list that is longer than what is read at once has a key in pieces %s', (_, listed) => {
  const rest = '"",'.repeat(50_000)
  const pieces = [...'ac_live_9fK2mPq7Rt4V'].map((char) => JSON.stringify(char)).join()
  const isCut = (script: string) => extractExpressions(script, 'ac_live_', effort(script), slice).isCut
  expect(isCut(listed(pieces, rest))).toBe(true)
  expect(isCut(listed('"z"', rest))).toBe(false)
})

test('reads no more expressions than have room in a tree, short ones too', () => {
  const short = Array.from({ length: 100_000 }, (_, index) => `let b${index}=a+${index};`).join('')
  const { expressions, isCut } = extractExpressions(short, 'ac_live_', effort(short))
  expect(isCut).toBe(true)
  expect(expressions.length).toBeLessThan(50_000)
})

test('keeps what is near pieces of a key where not all fits', () => {
  const others = (name: string) => numbered((index) => `f(${name}${index} + "x");`, 50_000)
  const sum = 'use(head + tail + "")'
  const script = `${others('a')}${sum};head = "ac_" + "live_";${others('b')}`
  const { expressions, isCut } = extractExpressions(script, 'ac_live_', effort(script))
  expect(isCut).toBe(false)
  expect(expressions.map(({ text }) => text)).toContain(sum)
  expect(expressions.length).toBeLessThan(100_000)
})
