import { resolve } from 'node:path'
import {
  countsOf,
  loadSelfTest,
  renderSelfTestJson,
  renderSelfTestText,
  type SelfTestCell,
} from '../../../audit/src/api.ts'
import { TwotokenError, withOwnErrors } from '../../base/errors.ts'
import { onLines } from '../../base/printable.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { inertJson } from '../../reports/escape.ts'
import type { AuditEnvironment } from './audit.ts'

type SelfTest = Parameters<typeof renderSelfTestText>[0]
const formats = {
  text: (result: SelfTest) => onLines(renderSelfTestText(result)),
  json: (result: SelfTest) => inertJson(renderSelfTestJson(result)),
}

interface SelfTestOptions {
  readonly paths: readonly string[]
  readonly format?: string
  readonly out?: string
  readonly prefix?: string
}

/** `twotoken audit --self-test`: returns 1 for a missed canary, 3 for one that could not be planted, 0 otherwise. */
export async function auditSelfTest(
  { paths, format = 'text', out, prefix }: SelfTestOptions,
  { directory, stdout }: AuditEnvironment,
): Promise<number> {
  const render = new Map(Object.entries(formats)).get(format)
  if (render === undefined)
    throw new TwotokenError('usage', `--format of a self-test is one of ${Object.keys(formats).join(', ')}`)
  const { selfTest } = await loadSelfTest()
  const result = await withOwnErrors(selfTest(paths, directory, prefix === undefined ? {} : { prefix }))
  if (out === undefined) stdout.write(render(result))
  else await writeFileWhole(resolve(directory, out), render(result))
  return exitCode(result.cells)
}

export function exitCode(cells: readonly SelfTestCell[]): number {
  const { planted, missed, unplanted } = countsOf(cells)
  if (missed > 0) return 1
  return planted === 0 || unplanted > 0 ? 3 : 0
}
