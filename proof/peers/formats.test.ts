import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../../audit/src/testing/audit-files.ts'
import { documentNames } from '../../contracts/generate.ts'
import { renderAuditSarif } from '../../src/reports/audit/sarif.ts'
import { renderSarif } from '../../src/reports/run/sarif.ts'
import { frozenRun } from '../../src/reports/testing/frozen-run.ts'

// Published linters and schemas judge the formats that are written here.

const file = join(
  import.meta.dirname,
  'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
)
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, validateFormats: false })
/** The schema that the authors of SARIF publish. */
const isSarif = ajv.compile(schema)

const map = JSON.stringify({
  version: 3,
  sources: ['src/a & b.ts'],
  sourcesContent: [`let a\nexport const k = "${key}"\n`],
  mappings: '',
})
const audited = await auditFiles({ 'a.js.map': map, 'c.rar': Buffer.from('526172211a0701', 'hex') })
const elsewhere = audited.findings.map((finding) => ({ ...finding, also: ['dist/chunk%1.js'] }))

test.each([
  ['a run', renderSarif(frozenRun)],
  ['an audit', renderAuditSarif(audited)],
  ['an audit that found a key in two places', renderAuditSarif({ ...audited, findings: elsewhere })],
])('SARIF of %s breaks nothing of the published schema', (_of, text) => {
  const log = JSON.parse(text)
  expect(isSarif(log) || isSarif.errors).toBe(true)
  expect(isSarif({ ...log, version: '2.0.0' })).toBe(false)
})

test.each(documentNames)('%s has nothing that a linter complains of', async (name) => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lint({ ref: join(import.meta.dirname, '../../contracts', name), config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})
