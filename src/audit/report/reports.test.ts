import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { elementsOf, parseMarkup } from '../../reports/parse-markup.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import { renderJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { renderSarif } from './sarif.ts'
import { renderText } from './text.ts'

const map = JSON.stringify({
  version: 3,
  sources: ['src/a & b.ts'],
  sourcesContent: [`let a\nexport const k = "${key}"\n`],
  mappings: '',
})
const result = await auditFiles({
  'a.js.map': map,
  'b"<&>\u0001.bin': Buffer.concat([Buffer.from([0, 1]), Buffer.from(key), Buffer.alloc(1)]),
  'c.7z': Buffer.from('377abcaf271c0004', 'hex'),
  'd.js': 'fetch("https://other.example/api/v1/calling/token")',
})

/** What the standard asks of the parts that are used, strictly: whatever else appears is a mistake. */
const text = { type: 'object', properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] }
const exactly = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const location = exactly(
  {
    physicalLocation: exactly(
      {
        artifactLocation: exactly({ uri: { type: 'string', format: 'uri-reference', minLength: 1 } }),
        region: exactly(
          { startLine: { type: 'integer', minimum: 1 }, byteOffset: { type: 'integer', minimum: 0 } },
          [],
        ),
      },
      ['artifactLocation'],
    ),
    logicalLocations: { type: 'array', items: exactly({ fullyQualifiedName: { type: 'string' } }) },
  },
  ['physicalLocation'],
)
const locations = { type: 'array', items: location }
const sarif = exactly({
  $schema: { type: 'string' },
  version: { const: '2.1.0' },
  runs: {
    type: 'array',
    minItems: 1,
    items: exactly({
      tool: exactly({
        driver: exactly({
          name: { type: 'string' },
          version: { type: 'string' },
          semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
          rules: {
            type: 'array',
            uniqueItems: true,
            items: exactly({ id: { type: 'string' }, shortDescription: text, help: text }),
          },
        }),
      }),
      invocations: {
        type: 'array',
        items: exactly({
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: {
            type: 'array',
            items: exactly({
              level: { enum: ['none', 'note', 'warning', 'error'] },
              message: text,
              descriptor: exactly({ id: { type: 'string' } }),
              locations,
            }),
          },
        }),
      },
      results: {
        type: 'array',
        items: exactly({
          ruleId: { type: 'string' },
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message: text,
          locations,
          partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
        }),
      },
      properties: { type: 'object' },
    }),
  },
})

test('SARIF holds what the standard asks for, and each result is of a rule', () => {
  const log = JSON.parse(renderSarif(result))
  const validate = new Ajv({ allErrors: true, formats: { 'uri-reference': true } }).compile(sarif)
  expect(validate(log) ? [] : validate.errors).toEqual([])
  const [run] = log.runs
  const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id)
  for (const {
    ruleId,
    locations: [place],
  } of run.results) {
    expect(ids).toContain(ruleId)
    expect(() => decodeURI(place.physicalLocation.artifactLocation.uri)).not.toThrow()
  }
  expect(run.results).toHaveLength(result.findings.length)
  expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1)
  expect(run.properties).toMatchObject({ complete: false, audited: [{ path: 'dist' }] })
})

test('JUnit is well-formed, whatever files are called', () => {
  const xml = parseMarkup(renderJunit(result))
  const [suite] = elementsOf(xml, 'testsuite')
  expect(suite?.attributes).toMatchObject({ tests: '5', failures: '2', skipped: '1' })
  const names = elementsOf(xml, 'testcase').map(({ attributes }) => attributes['name'])
  expect(names).toContain('dist/b"<&>%01.bin')
  expect(elementsOf(xml, 'property')[0]?.attributes).toMatchObject({
    name: 'audited dist',
    value: expect.stringMatching(/^5 files, \d+ bytes$/),
  })
})

test('the text names the place in a source map, what to do, the gaps and the counts', () => {
  const report = renderText(result)
  expect(report).toMatch(
    /error AUD-001: .+\n {2}dist\/a\.js\.map!src\/a & b\.ts \(line 2; javascript, utf-8\): ac_live_…/,
  )
  expect(report).toContain('→ Revoke this key')
  expect(report).toContain('gap AUD-092: Not audited: unsupported compression\n  dist/c.7z: a 7z archive')
  expect(report).toMatch(/audited dist: 5 files, \d+ bytes/)
  expect(report).toMatch(/2 errors, 1 warning, 1 note, 1 gap\n$/)
  expect(report.indexOf('error AUD')).toBeLessThan(report.indexOf('warning AUD'))
})

test('JSON says that a result with gaps is incomplete', () => {
  expect(JSON.parse(renderJson(result))).toMatchObject({
    complete: false,
    gaps: [{ rule: 'AUD-092', location: 'dist/c.7z' }],
  })
})
