import { type Finding, gapRules } from '../model/finding.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createAudit } from './context.ts'
import { auditContents } from './open.ts'
import { failed } from './or-gap.ts'

/** A text that is in memory, and the name of a file that would hold it. */
export interface NamedText {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface AuditedText {
  readonly findings: readonly Finding[]
  /** Why it was not read whole; null where it was. */
  readonly unread: string | null
}

/** Audits texts, each as a file by itself. Nothing is written, and names are not searched. */
export async function auditTexts(
  texts: readonly NamedText[],
  settings: Omit<AuditSettings, 'onProgress'> = {},
): Promise<AuditedText[]> {
  const audit = createAudit(settings)
  const files = texts.map(({ name, bytes }, index) => ({ name, location: String(index), contents: bytes }))
  for (const file of files) await auditContents(audit, file)
  await audit.reader.close()
  const [findings, gaps] = [audit.collector.findings(), audit.collector.gaps()]
  return files.map(({ location }) => {
    const isOwn = (one: { readonly location: string }) =>
      one.location === location || one.location.startsWith(`${location}!`)
    const unread = gaps.find(
      (gap) => isOwn(gap) && (gap.rule === gapRules.limit || gap.reason.startsWith(failed)),
    )
    return { findings: findings.filter(isOwn), unread: unread?.reason ?? null }
  })
}
