import { exceptKnown } from '../model/collector.ts'
import { lastPart, printable } from '../model/location.ts'
import { findHits, scan } from '../search/scan.ts'
import type { Audit } from './context.ts'

/**
 * Searches the names of files and folders, each from the part on that the user has given last: what is before it does not
 * ship. What a file holds as well is reported there.
 */
export function auditNames(audit: Audit, given: string, paths: readonly (string | Buffer)[]): void {
  const root = given.replace(/(?<!\/)\/+$/, '')
  const outer = Buffer.byteLength(root.slice(0, root.length - lastPart(root).length))
  for (const path of paths) {
    const bytes = Buffer.from(path).subarray(outer)
    const hits = findHits(audit.searcher, { bytes })
    if (hits.isEmpty) continue
    const whole = { start: 0, end: bytes.length, view: 'utf-8', role: 'value' } as const
    const table = () => ({ extents: [whole], regions: [] })
    const file = { location: printable(path), format: 'name', bytes, isText: false, table }
    scan(exceptKnown(audit), file, hits)
  }
}
