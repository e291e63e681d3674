import { expect, test } from 'vitest'
import { createCollector, type Sighting } from './collector.ts'
import type { Finding } from './finding.ts'

const whole = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'
const begin = whole.slice(0, 28)
const end = `ac_live_${whole.slice(-20)}`

type Reading = Partial<Pick<Finding, 'decoder' | 'extent' | 'level' | 'location'>> &
  Pick<Sighting, 'secret' | 'isString'>

function lengthsOf(...readings: readonly Reading[]): number[] {
  const near = createCollector('ac_live_')
  for (const [offset, reading] of readings.entries())
    near.report({
      rule: 'AUD-001',
      kind: 'key',
      level: 'error',
      format: 'binary',
      decoder: 'utf-8',
      location: 'a',
      show: 'ac_live_',
      offset,
      ...reading,
    })
  return near.findings().map(({ length }) => length)
}

test.each([
  ['the longer of two', { secret: begin }, { secret: whole }, whole],
  ['the longer, where the other one is its end', { secret: end }, { secret: whole }, whole],
  ['the one of a table', { secret: begin, decoder: 'string-table' }, { secret: whole }, begin],
  [
    'the whole of pieces in a table',
    { secret: begin, decoder: 'string-table' },
    { secret: whole, decoder: 'folded' },
    whole,
  ],
  [
    'the string whose end is known',
    { secret: begin, isString: true },
    { secret: whole, decoder: 'folded', extent: 'uncertain' },
    begin,
  ],
  ['the one whose end is known', { secret: begin }, { secret: whole, extent: 'uncertain' }, begin],
] as const)('reports %s, in whatever order they are found', (_, one, other, expected) => {
  expect(lengthsOf(one, other)).toEqual([expected.length])
  expect(lengthsOf(other, one)).toEqual([expected.length])
})

test.each([
  ['in two places', { secret: begin, location: 'b' }, { secret: whole }],
  ['of which the part is more serious', { secret: begin }, { secret: whole, level: 'warning' }],
  ['of one table', { secret: begin, decoder: 'string-table' }, { secret: whole, decoder: 'string-table' }],
  [
    'of which a string is one, and text behind it made the other',
    { secret: begin, isString: true },
    { secret: whole, decoder: 'folded' },
  ],
  ['that only begin alike', { secret: `${begin}A` }, { secret: `${begin}B` }],
] as const)('reports both keys %s', (_, one, other) => {
  expect(lengthsOf(one, other)).toHaveLength(2)
  expect(lengthsOf(other, one)).toHaveLength(2)
})

test('keeps a key that is a string of the file, wherever else the file has it before', () => {
  const made = { secret: whole, decoder: 'folded' }
  const string = { secret: begin, isString: true }
  for (const readings of [
    [{ secret: begin }, string, made],
    [{ secret: begin }, made, string],
    [string, made, { secret: begin }],
  ])
    expect(lengthsOf(...readings).toSorted()).toEqual([begin.length, whole.length])
})
