import { createCollector } from '../model/collector.ts'
import type { AuditResult } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditedAs } from './audited-as.ts'

/** A path as a report shows it: without a key that is in its name. */
export function shownPath(path: string, settings: AuditSettings): string {
  return auditedAs({ entries: 0, bytes: 0 }, path, settings, 0).path
}

/** The result of a listed path that does not exist: a gap, so that the others are audited all the same. */
export function missingPath(path: string, settings: AuditSettings): AuditResult {
  const collector = createCollector(settings.prefix ?? defaultPrefix)
  collector.gap('opaque', printable(path), 'does not exist, or cannot be listed')
  const audited = auditedAs({ entries: 0, bytes: 0 }, path, settings, performance.now())
  return { audited: [audited], findings: [], gaps: collector.gaps() }
}
