import { expect, test } from 'vitest'
import {
  auditFormats,
  type Formats,
  findFormat,
  listFormats,
  offerFormats,
  type RunFormat,
  runFormats,
} from './formats.ts'
import type { RunResults } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

test('the help and the errors name every format, in the order of the registry', () => {
  expect(offerFormats(auditFormats)).toBe('text, json, sarif, junit or html')
  expect(offerFormats({ text: 1 })).toBe('text')
  expect(offerFormats(runFormats)).toBe('html, github, junit, sarif, markdown or ctrf')
  expect(listFormats(auditFormats)).toBe('text, json, sarif, junit, html')
})

test.each(Object.keys(runFormats))('%s renders a run', async (name) => {
  const render = await findFormat<RunResults>(runFormats, name)?.()
  expect(render?.(frozenRun)).toMatch(/nonconformant|MINT-04/)
})

test.each(['pdf', 'HTML', 'toString', '__proto__', ''])('%s is no format', (name) => {
  expect(findFormat<RunResults>(runFormats, name)).toBeNull()
})

test('a name or a renderer that the registry cannot serve does not compile', () => {
  // @ts-expect-error: not in the registry
  const name: RunFormat = 'pdf'
  // @ts-expect-error: renders an audit, not a run
  const formats: Formats<RunResults> = { text: auditFormats.text }
  expect(Object.keys(runFormats)).not.toContain(name)
  expect(Object.keys(formats)).toEqual(['text'])
})
