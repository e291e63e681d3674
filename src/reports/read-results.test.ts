import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { openTempFolder } from '../base/temp-folder.ts'
import { auditFormats, findFormat, listFormats, offerFormats, runFormats } from './formats.ts'
import { parseResults, readResults } from './read-results.ts'
import { type RunResults, resultsSchema } from './results.ts'
import { frozenRun, frozenText } from './testing/frozen-run.ts'
import { parseXml } from './testing/parse-xml.ts'

/** Texts that a format, a parser or a page could take for something else, and ids that then refer to each other. */
const odd = [
  ...['', ' ', '\n', '\t\u0000\u001b[31m', '\ud800', 'a\udc00b', '\u202e', '\ufffe', '\u2028'],
  ...['<script>', ']]>', '-->', '</style>', '&#0;', '"\'`', '| a |', '```', '::error::', '%0A', '\\'],
  ...['__proto__', 'constructor', 'toString', '1', 'MINT-01', 'BACK-07', 'e1', 'e2', 'mint.odd'],
  'x'.repeat(20_000),
  '"'.repeat(2_000),
  'é\u0301🏳️‍🌈'.repeat(500),
]

/** Any sequence of code units: surrogates without their other half, too. */
const anyText = fc.oneof(
  { arbitrary: fc.constantFrom(...odd), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 20 }), weight: 1 },
  {
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
    weight: 1,
  },
)
const anyNumber = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const anyTime = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())
const few = { maxLength: 3 }

/** A value of any shape that a schema admits. */
function arbitraryOf(schema: z.core.$ZodType): Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'datetime' ? anyTime : anyText
    case 'number':
      return anyNumber
    case 'unknown':
      return fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' })
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'array':
      return fc.array(arbitraryOf(def.element), few)
    case 'tuple':
      return fc.tuple(...def.items.map(arbitraryOf))
    case 'union':
      return fc.oneof(...def.options.map(arbitraryOf))
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType))
    case 'readonly':
      return arbitraryOf(def.innerType)
    case 'record':
      return recordOf(def)
    case 'object':
      return objectOf(def.shape)
    default:
      throw new Error(`no value of a schema of the type ${def.type} can be made`)
  }
}

/** The keys of an enumeration are all there. */
function recordOf({ keyType, valueType }: z.core.$ZodRecordDef): Arbitrary<unknown> {
  const { def } = (keyType as z.core.$ZodTypes)._zod
  if (def.type !== 'enum') return fc.dictionary(anyText, arbitraryOf(valueType), { maxKeys: 3 })
  const keys = Object.values(def.entries).map(String)
  return fc.record(Object.fromEntries(keys.map((key) => [key, arbitraryOf(valueType)])))
}

function objectOf(shape: z.core.$ZodShape): Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { def } = (schema as z.core.$ZodTypes)._zod
    return def.type === 'optional'
      ? { name, value: arbitraryOf(def.innerType), isRequired: false }
      : { name, value: arbitraryOf(schema), isRequired: true }
  })
  return fc.record(Object.fromEntries(fields.map(({ name, value }) => [name, value])), {
    requiredKeys: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  })
}

/** Results of any run that a file can hold. */
const anyResults = arbitraryOf(resultsSchema) as Arbitrary<RunResults>

const frozen: unknown = JSON.parse(frozenText)

test('reads what a run wrote', () => {
  expect(frozenRun).toEqual(frozen)
})

test('leaves out what a newer version wrote besides', () => {
  const newer = JSON.stringify({ ...frozenRun, novelty: 1 })
  expect(parseResults(newer, 'newer.json')).toEqual(frozenRun)
})

const audited = JSON.stringify({ tool: { name: 'twotoken', version: '1.0.0' }, complete: true, audited: [] })
const older = frozenText
  .replace('"version": "1.0.0"', '"version": "0.9.0"')
  .replace('"durationMs": 5321', '"ms": 1')

test.each([
  ['no JSON', 'results', 'is not JSON'],
  ['nothing', '', 'is empty'],
  ['blanks', ' \n', 'is empty'],
  ['half a file', frozenText.slice(0, 3000), 'is truncated JSON'],
  ['what the audit wrote', audited, 'contains results of twotoken audit'],
  ['another document', '{"complete":true}', 'contains no results of a run (tool is invalid)'],
  ['a list', '[]', 'contains no results of a run (it is invalid)'],
  ['null', 'null', 'contains no results of a run (it is invalid)'],
  [
    'an unknown verdict',
    frozenText.replace('"verdict": "pass"', '"verdict": "great"'),
    'contains no results of a run (checks.0.verdict is invalid)',
  ],
  [
    'what another version wrote',
    older,
    'was written by twotoken 0.9.0, which twotoken 1.0.0 cannot read (durationMs is invalid)',
  ],
  [
    'a count that is made up',
    frozenText.replace('"fail": 2', '"fail": 0'),
    'is inconsistent: its summary counts 0 fail, its checks 2',
  ],
  [
    'an outcome that is made up',
    frozenText.replace('"outcome": "nonconformant"', '"outcome": "conformant"'),
    'is inconsistent: its outcome is conformant, but its checks give nonconformant',
  ],
])('%s is one sentence', (_, text, sentence) => {
  expect(() => parseResults(text, 'results.json')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `results.json ${sentence}; use the results.json of twotoken run`,
    }),
  )
})

test('reads what an editor or a shell put a byte order mark before', () => {
  expect(parseResults(`\uFEFF${frozenText}`, 'marked.json')).toEqual(frozenRun)
})

test.each(['/nowhere/results.json', '/tmp'])(
  'a file that cannot be read is one sentence: %s',
  async (file) => {
    await expect(readResults(file)).rejects.toMatchObject({ code: 'usage' })
  },
)

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const withObservation = (value: string) =>
  JSON.stringify({ ...frozenRun, observations: { 'mint.odd': 'here' } }).replace('"here"', value)

test.each([
  ['nested arrays', deep(100_000), 'is nested deeper than any results'],
  ['results with nested arrays', withObservation(deep(100_000)), 'is nested deeper than any results'],
  [
    'results with nested objects',
    withObservation(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    'is nested deeper',
  ],
  ['a number', '1', 'contains no results of a run'],
  [
    'a field __proto__',
    '{"__proto__":{"tool":{"name":"twotoken","version":"1"}}}',
    'contains no results of a run',
  ],
])('a file with %s is refused in a sentence', (_, text, message) => {
  expect(() => parseResults(text, 'r.json')).toThrow(message)
})

test('a value of an observation may be as deep as a run records it', () => {
  expect(parseResults(withObservation(deep(64)), 'r.json').checks).toEqual(frozenRun.checks)
})

test('a file that is larger than any results is not read', async () => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'results.json')
  await writeFile(file, '')
  await truncate(file, 1_073_741_824)
  await expect(readResults(file)).rejects.toMatchObject({
    code: 'usage',
    message: `${file} has 1024 MB, more than any results; use the results.json of twotoken run`,
  })
})

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

const seed = 20_261_125

test.each(Object.entries(runFormats))('any results are rendered as %s', async (name, load) => {
  const render = await load()
  fc.assert(
    fc.property(anyResults, (results) => {
      const text = render(results)
      expect(text).toBe(render(results))
      if (['sarif', 'ctrf'].includes(name)) JSON.parse(text)
      if (name === 'junit') parseXml(text)
    }),
    { numRuns: 60, seed },
  )
})
