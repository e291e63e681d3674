import { expect, test } from 'vitest'
import { createRandom } from '../seeded-random.ts'
import { createPrefixAutomaton } from './prefix-automaton.ts'

const random = createRandom(4711)
const draw = (most: number) => Math.floor(random() * most)
const drawText = (length: number) => Array.from({ length }, () => 'ab'[draw(2)]).join('')

/** The places that some pattern covers, compared one by one. */
function covered(text: string, patterns: readonly { text: string; least: number }[]): Set<number> {
  const places = new Set<number>()
  for (let start = 0; start < text.length; start += 1)
    for (const pattern of patterns) {
      let length = 0
      while (length < pattern.text.length && text[start + length] === pattern.text[length]) length += 1
      if (length >= pattern.least) for (let at = start; at < start + length; at += 1) places.add(at)
    }
  return places
}

test('covers exactly the places of every beginning that is long enough', () => {
  for (let round = 0; round < 400; round += 1) {
    const patterns = Array.from({ length: 1 + draw(6) }, () => {
      const pattern = drawText(3 + draw(9))
      return { text: pattern, least: 2 + draw(pattern.length - 1) }
    })
    const text = drawText(60)
    const found = new Set<number>()
    for (const { start, end } of createPrefixAutomaton(patterns).find(text))
      for (let at = start; at < end; at += 1) found.add(at)
    expect([...found].toSorted((a, b) => a - b)).toEqual(
      [...covered(text, patterns)].toSorted((a, b) => a - b),
    )
  }
})

test('names the longest of the patterns that overlap', () => {
  const patterns = ['abcdef', 'abcdefghij', 'zabcd'].map((text) => ({ text, least: text.length }))
  const automaton = createPrefixAutomaton(patterns)
  expect(automaton.find('--abcdefghij--abcdef--')).toEqual([
    { start: 2, end: 12, pattern: 1 },
    { start: 14, end: 20, pattern: 0 },
  ])
})

test('follows patterns that are longer than its index to their ends', () => {
  const shared = 'k'.repeat(300)
  const patterns = ['A', 'B'].map((end) => ({ text: shared + end.repeat(5000), least: 200 }))
  const text = `..${patterns[1]?.text}..${patterns[0]?.text.slice(0, 4000)}..`
  expect(createPrefixAutomaton(patterns).find(text)).toEqual([
    { start: 2, end: 5302, pattern: 1 },
    { start: 5304, end: 9304, pattern: 0 },
  ])
})
