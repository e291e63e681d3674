import type { AuditResult } from '../model/finding.ts'
import { onePerSecret } from '../model/one-per-secret.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditedAs } from './audited-as.ts'
import { auditContents } from './contents.ts'
import { createAudit } from './context.ts'
import { oneGapAPath } from './one-gap-a-path.ts'

/** Audits one file that is in memory, as `auditPaths` would audit it on disk. */
export async function auditInMemory(
  { bytes, ...file }: { readonly location: string; readonly name: string; readonly bytes: Buffer },
  settings: AuditSettings = {},
): Promise<AuditResult> {
  const audit = createAudit(settings)
  const begun = performance.now()
  await auditContents(audit, { ...file, contents: bytes })
  await audit.reader.close()
  const audited = [auditedAs(audit.spent, file.location, settings, begun)]
  return {
    audited,
    findings: onePerSecret(audit.collector.findings()),
    gaps: oneGapAPath(audit.collector.gaps(), [file.location]),
  }
}
