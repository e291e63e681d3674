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

const selfTestFormats = ['text', 'json'] as const
type SelfTestFormat = (typeof selfTestFormats)[number]
const isSelfTestFormat = (name: string): name is SelfTestFormat =>
  selfTestFormats.some((format) => format === name)

export interface SelfTestOptions {
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
  if (!isSelfTestFormat(format))
    throw new TwotokenError('usage', `--format of a self-test is one of ${selfTestFormats.join(', ')}`)
  const { selfTest } = await loadSelfTest()
  const result = await withOwnErrors(selfTest(paths, directory, prefix === undefined ? {} : { prefix }))
  const render: Readonly<Record<SelfTestFormat, (self: typeof result) => string>> = {
    text: (self) => onLines(renderSelfTestText(self)),
    json: (self) => inertJson(renderSelfTestJson(self)),
  }
  const text = render[format](result)
  if (out === undefined) stdout.write(text)
  else await writeFileWhole(resolve(directory, out), text)
  return exitCode(result.cells)
}

export function exitCode(cells: readonly SelfTestCell[]): number {
  const { planted, missed, unplanted } = countsOf(cells)
  if (missed > 0) return 1
  return planted === 0 || unplanted > 0 ? 3 : 0
}
