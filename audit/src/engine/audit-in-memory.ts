import type { AuditResult } from '../model/finding.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditContents } from './audit-contents.ts'
import { auditedAs } from './audited-as.ts'
import { createAudit, type Watch } from './context.ts'

/** Audits one file that is in memory, as `auditPaths` would audit it on disk, but in this thread and without its bounds. */
export async function auditInMemory(
  { bytes, ...file }: { readonly location: string; readonly name: string; readonly bytes: Buffer },
  settings: AuditSettings = {},
  watch?: Watch,
): Promise<AuditResult> {
  const audit = createAudit(settings, undefined, watch)
  const begun = performance.now()
  await auditContents(audit, { ...file, contents: bytes })
  const audited = [auditedAs(audit.spent, file.location, settings, begun)]
  return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() }
}
