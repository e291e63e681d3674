import { allow } from '../containers/budget.ts'
import type { AuditResult } from '../model/finding.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditBytes } from './audit-bytes.ts'
import { auditedAs } from './audited-as.ts'
import { createAudit } from './context.ts'

/** Audits one file that is in memory, as `auditPaths` would audit it on disk, but in this thread and without its bounds. */
export async function auditInMemory(
  { location, name, bytes }: { readonly location: string; readonly name: string; readonly bytes: Buffer },
  settings: AuditSettings = {},
): Promise<AuditResult> {
  const audit = createAudit(settings)
  const begun = performance.now()
  allow(audit, bytes.length)
  await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 })
  const audited = [auditedAs(audit.spent, location, settings, begun)]
  return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() }
}
