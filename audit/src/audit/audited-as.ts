import type { AuditedPath } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { createNameCleaner, printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'

/** A path, and what reading it has come to. */
export function auditedAs(
  { entries, bytes }: { readonly entries: number; readonly bytes: number },
  path: string,
  { prefix = defaultPrefix }: AuditSettings,
  begun: number,
): AuditedPath {
  return {
    path: createNameCleaner(prefix)(printable(path)),
    entries,
    bytes,
    durationMs: Math.round(performance.now() - begun),
  }
}
