import { expect, test } from 'vitest'
import type { Outcome } from '../../base/verdict.ts'
import { frozenRun } from '../testing/frozen-run.ts'
import { elementsOf, parseXml, textOf } from '../testing/parse-xml.ts'
import { renderBadge } from './badge.ts'
import { renderBadgeJson } from './badge-json.ts'

test.each([
  ['conformant', 'conformant, 4 passed'],
  ['nonconformant', 'nonconformant, 2 failed'],
  ['incomplete', 'incomplete, 3 untested'],
  ['error', 'error, 1 errored'],
] as const)('%s reads "%s", in both forms', (outcome: Outcome, message) => {
  const run = { ...frozenRun, outcome }
  expect(JSON.parse(renderBadgeJson(run))).toMatchObject({
    schemaVersion: 1,
    label: 'two-token flow',
    message,
  })
  const svg = parseXml(renderBadge(run))
  expect(elementsOf(svg, 'text').map(textOf)).toEqual(['two-token flow', message])
  expect(elementsOf(svg, 'svg')[0]?.attributes['aria-label']).toBe(`two-token flow: ${message}`)
})

test('each outcome has a colour of its own', () => {
  const outcomes: readonly Outcome[] = ['conformant', 'nonconformant', 'incomplete', 'error']
  const colors = outcomes.map((outcome) => JSON.parse(renderBadgeJson({ ...frozenRun, outcome })).color)
  expect(new Set(colors).size).toBe(outcomes.length)
})

test('an interrupted run says so', () => {
  expect(JSON.parse(renderBadgeJson({ ...frozenRun, interrupted: true })).message).toBe(
    'nonconformant (interrupted)',
  )
})
