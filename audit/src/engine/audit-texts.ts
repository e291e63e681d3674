import { createCollector } from '../model/collector.ts'
import { type Finding, gapRules } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createSupervisor } from '../threads/supervise.ts'
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

/**
 * Audits texts, each as a file by itself, in threads and with their bounds. Nothing is written, and names are not searched.
 * @param program what reads the texts, in threads
 */
export async function auditTexts(
  texts: readonly NamedText[],
  settings: Omit<AuditSettings, 'onProgress'> = {},
  program?: string,
): Promise<AuditedText[]> {
  const collector = createCollector(settings.prefix ?? defaultPrefix)
  const files = texts.map(({ name, bytes }, index) => ({
    name,
    location: String(index),
    contents: bytes,
  }))
  const walked = { given: '', root: '', files, otherNames: [] }
  await using supervisor = createSupervisor(collector, settings, [walked], program)
  await supervisor.read(walked)
  const [findings, gaps] = [collector.findings(), collector.gaps()]
  return files.map(({ location }) => {
    const isOwn = (one: { readonly location: string }) =>
      one.location === location || one.location.startsWith(`${location}!`)
    const unread = gaps.find(
      (gap) => isOwn(gap) && (gap.rule === gapRules.limit || gap.reason.startsWith(failed)),
    )
    return { findings: findings.filter(isOwn), unread: unread?.reason ?? null }
  })
}
