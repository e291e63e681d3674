import { expect, test } from 'vitest'
import { createRedactor } from '../base/evidence/redact.ts'
import { runFormats } from './formats.ts'
import { parseResults } from './read-results.ts'
import { redactResults } from './redact-results.ts'
import type { RunResults } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

/** Every key and every text of a result. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...wordsOf(one),
  ])
}

function nest(depth: number): unknown {
  let value: unknown = 'leaf'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

test('secrets that are words of the structure change nothing of it', () => {
  const { exchanges: _, ...structure } = frozenRun
  const words = new Set(wordsOf(structure).filter((word) => /^[\w-]{6,24}$/.test(word)))
  expect(words.size).toBeGreaterThan(20)
  const redactor = createRedactor()
  for (const word of words) redactor.register('session', word)
  const { results } = redactResults(frozenRun, redactor)
  const shape = ({ checks, summary, outcome, seed, startedAt }: RunResults) => ({
    checks: checks.map(({ id, verdict, level, role, clauses, findings }) => ({
      ...{ id, verdict, level, role, clauses },
      findings: findings.map(({ evidence, ...finding }) => [finding.level, finding.verdict, evidence]),
    })),
    ...{ summary, outcome, seed, startedAt },
  })
  expect(shape(results)).toEqual(shape(frozenRun))
  expect(results.exchanges.map(({ id, kind, from, to }) => [id, kind, from, to])).toEqual(
    frozenRun.exchanges.map(({ id, kind, from, to }) => [id, kind, from, to]),
  )
  expect(parseResults(JSON.stringify(results), 'results.json')).toEqual(results)
})

test.each([
  ['nested 100,000 deep', nest(100_000)],
  ['a big integer', { a: 12n }],
  ['a function', { a: () => 1 }],
  [
    'a circle',
    (() => {
      const circle: Record<string, unknown> = {}
      circle['self'] = circle
      return circle
    })(),
  ],
  ['numbers that JSON has not', [Number.NaN, Number.POSITIVE_INFINITY]],
  ['the field __proto__', JSON.parse('{"__proto__":{"a":1},"constructor":1}')],
])('an observation that is %s is written and rendered in every format', async (_, value) => {
  const redactor = createRedactor()
  const [check, ...others] = frozenRun.checks
  if (check === undefined) throw new Error('the frozen run has no checks')
  const odd: RunResults = {
    ...frozenRun,
    checks: [{ ...check, observations: { 'mint.odd': value } }, ...others],
    observations: { 'mint.odd': value },
  }
  const { results } = redactResults(odd, redactor)
  const read = parseResults(JSON.stringify(results), 'results.json')
  expect(read.checks.map(({ id }) => id)).toEqual(frozenRun.checks.map(({ id }) => id))
  for (const load of Object.values(runFormats)) expect((await load())(results)).not.toBe('')
})

test('names of fields that are the same once they are redacted are all kept', () => {
  const redactor = createRedactor()
  for (const name of ['sess-0b1c2d3e4f', 'sess-1b1c2d3e4f']) redactor.register('session', name)
  const observations = { 'mint.echo': { 'sess-0b1c2d3e4f': 1, 'sess-1b1c2d3e4f': 2, 'sess-0b1c2d3e4f ': 3 } }
  const { results, places } = redactResults({ ...frozenRun, observations }, redactor)
  expect(Object.values(results.observations['mint.echo'] ?? {})).toEqual([1, 2, 3])
  expect(JSON.stringify(results)).not.toContain('b1c2d3e4f')
  expect(places).toEqual(['observations.mint.echo', 'observations.mint.echo', 'observations.mint.echo'])
})
