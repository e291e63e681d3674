import { expect, test } from 'vitest'
import { frozenRun } from '../../testing/frozen-run.ts'
import { elementsOf, parseXml } from '../../testing/parse-xml.ts'
import { renderCoverage } from './coverage.ts'

const drawn = (value: unknown) =>
  renderCoverage({ ...frozenRun, observations: { 'mint.coverageOverTime': value } })

test('draws pairs and triples of commands over time', () => {
  const markup = drawn([
    { seconds: 1, pairs: 2, triples: 1 },
    { seconds: 10, pairs: 8, triples: 9 },
  ])
  const [svg] = elementsOf(parseXml(`<div>${markup}</div>`), 'svg')
  expect(svg?.attributes['aria-label']).toBe('8 pairs and 9 triples of commands within 10 s')
  expect(markup).toContain('points="68.0,')
})

test.each([[[]], ['text'], [[{ seconds: '1' }]], [null]])('draws nothing of %j', (value) => {
  expect(drawn(value)).toBe('')
})
