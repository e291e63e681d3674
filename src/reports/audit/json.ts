import type { AuditResult } from '../../../audit/src/api.ts'
import { version } from '../../base/version.ts'
import { writeJson } from '../escape.ts'

/** The machine-readable report; other programs rely on its shape. */
export function renderAuditJson(result: AuditResult): string {
  return writeJson(auditReport(result))
}

export function auditReport({ audited, findings, gaps }: AuditResult): object {
  return {
    tool: { name: 'twotoken', version },
    complete: gaps.length === 0,
    audited,
    findings,
    gaps,
  }
}
