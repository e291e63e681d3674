import { allow } from '../containers/budget.ts'
import type { AuditResult } from '../model/finding.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditBytes } from './audit-bytes.ts'
import { auditedAs } from './audited-as.ts'
import { type Audit, createAudit, type Watch } from './context.ts'
import type { FileInMemory } from './walk-files.ts'

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

/** One file of an audit that has the bytes in memory. */
export async function auditContents(audit: Audit, { contents, location, name }: FileInMemory): Promise<void> {
  const { buffer, byteOffset, length } = contents
  allow(audit, length)
  const bytes = Buffer.from(buffer, byteOffset, length)
  await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 })
}
