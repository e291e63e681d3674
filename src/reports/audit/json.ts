import type { AuditResult } from '../../../audit/src/api.ts'
import { version } from '../../base/version.ts'
import { writeJson } from '../escape.ts'

/** The machine-readable report; other programs rely on its shape. */
export function renderAuditJson({ audited, findings, gaps }: AuditResult): string {
  const complete = gaps.length === 0
  return writeJson({ tool: { name: 'twotoken', version }, complete, audited, findings, gaps })
}
