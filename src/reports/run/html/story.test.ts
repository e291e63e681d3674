import { expect, test } from 'vitest'
import type { ShownStory } from '../../../requirement/shown-story.ts'
import { frozenRun, hostileText } from '../../testing/frozen-run.ts'
import { elementsOf, parseXml, textOf } from '../../testing/parse-xml.ts'
import { renderStory } from './story.ts'

const exchanges = new Map(frozenRun.exchanges.map((exchange) => [exchange.id, exchange]))
const [first, second] = frozenRun.exchanges.map(({ id }) => id)
const story: ShownStory = {
  role: 'backend',
  breaks: 'EXP-03',
  opening: 'alice signed in.',
  told: [
    { did: 'alice asks for a token', came: ['alice: 502'], evidence: [first ?? ''] },
    { did: hostileText, came: [], evidence: [second ?? '', 'unknown'] },
  ],
  steps: [],
}

test('tells the steps in numbers, each with its exchanges, and draws an arrow for each exchange', () => {
  const markup = parseXml(renderStory(story, exchanges))
  const items = elementsOf(markup, 'li').map(textOf)
  expect(items).toHaveLength(2)
  expect(items[0]).toMatch(/alice asks for a token.*alice: 502.*1 exchange/s)
  expect(elementsOf(markup, 'polygon')).toHaveLength(2)
  expect(elementsOf(markup, 'svg')[0]?.attributes['aria-label']).toContain('2 steps')
})

test('shows a hostile text as text', () => {
  const markup = renderStory(story, exchanges)
  expect(elementsOf(parseXml(markup), 'script')).toEqual([])
})
