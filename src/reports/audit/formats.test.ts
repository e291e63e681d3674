import { expect, test } from 'vitest'
import { auditFiles, key } from '../../../audit/src/testing/audit-files.ts'
import { type AuditFormat, auditFormats } from '../formats.ts'
import { elementsOf, parseXml } from '../testing/parse-xml.ts'
import { renderAuditJunit } from './junit.ts'
import { renderAuditSarif } from './sarif.ts'
import { renderAuditText } from './text.ts'

const map = JSON.stringify({
  version: 3,
  sources: ['src/a & b.ts'],
  sourcesContent: [`let a\nexport const k = "${key}"\n`],
  mappings: '',
})
const result = await auditFiles({
  'a.js.map': map,
  'b"<&>\u0001.bin': Buffer.from('\0\u0001ac_live_4QeZ81hWq0vTbK7mYw2P\0'),
  'c.rar': Buffer.from('526172211a0701', 'hex'),
  'd.js': 'fetch("https://other.example/api/v1/calling/token")',
})

test('each result of SARIF has a rule', () => {
  const log = JSON.parse(renderAuditSarif(result))
  const [run] = log.runs
  const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id)
  for (const rule of run.tool.driver.rules)
    expect(rule).toMatchObject({ helpUri: expect.stringContaining('docs/audit.md#what-comes-out') })
  expect(run.tool.driver.rules[0].properties).toEqual({ tags: ['security'], 'security-severity': '9.0' })
  for (const { ruleId, locations } of run.results) {
    expect(ids).toContain(ruleId)
    expect(() => decodeURI(locations[0].physicalLocation.artifactLocation.uri)).not.toThrow()
  }
  expect(run.results).toHaveLength(result.findings.length)
  expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1)
  expect(run.properties).toMatchObject({ complete: false, audited: [{ path: 'dist' }] })
})

test('JUnit is well-formed, whatever files are called', () => {
  const xml = parseXml(renderAuditJunit(result))
  const [suite] = elementsOf(xml, 'testsuite')
  expect(suite?.attributes).toMatchObject({ tests: '5', failures: '2', skipped: '1' })
  const names = elementsOf(xml, 'testcase').map(({ attributes }) => attributes['name'])
  expect(names).toContain('dist/b"<&>%01.bin')
  expect(elementsOf(xml, 'property')[0]?.attributes).toMatchObject({
    name: 'audited dist',
    value: expect.stringMatching(/^5 files, \d+ bytes$/),
  })
})

test('SARIF and JUnit name the other places of a key', async () => {
  const result = await auditFiles({ 'app.js': `use('${key}')` })
  const findings = result.findings.map((finding) => ({ ...finding, also: ['dist/chunk%1.js'] }))
  const joined = { ...result, findings }
  expect(joined.findings).toMatchObject([{ location: 'dist/app.js' }])
  const log = JSON.parse(renderAuditSarif(joined))
  expect(log.runs[0].results[0].relatedLocations).toMatchObject([
    {
      physicalLocation: { artifactLocation: { uri: 'dist/chunk%251.js' } },
      logicalLocations: [{ fullyQualifiedName: 'dist/chunk%1.js' }],
    },
  ])
  const [failure] = elementsOf(parseXml(renderAuditJunit(joined)), 'failure')
  expect(failure?.attributes['message']).toContain('also in dist/chunk%1.js')
})

test('the text names the place in a source map, what to do, the gaps and the counts', () => {
  const report = renderAuditText(result)
  expect(report).toMatch(
    /error AUD-001: .+\n {2}dist\/a\.js\.map!src\/a & b\.ts \(line 2, column 19; javascript, utf-8\): ac_live_…/,
  )
  expect(report).toContain('→ Revoke this key')
  expect(report).toContain('gap AUD-092: Not audited: unsupported compression\n  dist/c.rar: a RAR archive')
  expect(report).toMatch(/audited dist: 5 files, \d+ bytes/)
  expect(report).toMatch(/2 errors, 1 warning, 1 note, 1 gap\n$/)
  expect(report.indexOf('error AUD')).toBeLessThan(report.indexOf('warning AUD'))
})

test.each(Object.keys(auditFormats) as AuditFormat[])(
  '%s shows no more of a key than its prefix, also of one that names a file',
  async (format) => {
    const render = await auditFormats[format]()
    const named = await auditFiles({ [`${key}.txt`]: `x ${key} y`, 'a.js': `"${btoa(key)}"` })
    expect(named.findings.length).toBeGreaterThan(1)
    for (const report of [render(result), render(named)]) {
      expect(report).toContain('ac_live_…')
      expect(report).not.toContain(key.slice(8, 14))
    }
  },
)
