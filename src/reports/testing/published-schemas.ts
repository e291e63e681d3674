import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'

const files = {
  sarif: '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  ctrf: 'ctrf/dist/ctrf-schema-0.0.json',
}

/** The errors of a report by the schema that the format's authors publish. */
export function schemaErrors(format: keyof typeof files, report: unknown): readonly unknown[] {
  const file = join(import.meta.dirname, '../../../node_modules', files[format])
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, validateFormats: false })
  const validate = ajv.compile(schema)
  return validate(report) ? [] : (validate.errors ?? [])
}
