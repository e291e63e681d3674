import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'

const file = '../../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'

/** The errors of a SARIF log by the schema that the format's authors publish. */
export function sarifErrors(log: unknown): readonly unknown[] {
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, validateFormats: false })
  const validate = ajv.compile(schema)
  return validate(log) ? [] : (validate.errors ?? [])
}
