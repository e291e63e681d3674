import { exceptKnown } from '../model/collector.ts'
import { lastPart, printable } from '../model/location.ts'
import { scan } from '../scan/scan.ts'
import { searchPieces } from '../scan/search.ts'
import type { Audit } from './context.ts'

/**
 * Searches the names of files and folders, each from the part on that the user has given last: what is before it does not
 * ship. What a file holds as well is reported there.
 */
export function auditNames(audit: Audit, given: string, paths: readonly (string | Buffer)[]): void {
  const root = given.replace(/(?<!\/)\/+$/, '')
  const outer = Buffer.byteLength(root.slice(0, root.length - lastPart(root).length))
  const names = paths.map((path) => Buffer.from(path).subarray(outer))
  const ends: number[] = []
  let length = 0
  for (const name of names) {
    length += name.length + 1
    ends.push(length)
  }
  // Each with a zero behind it, so that no two of them are read as one.
  const together = Buffer.alloc(length)
  for (const [index, name] of names.entries()) name.copy(together, (ends[index] ?? 0) - name.length - 1)
  for (const index of searchPieces(audit.searcher, together, ends)) {
    const [path, bytes] = [paths[index], names[index]]
    if (path === undefined || bytes === undefined) continue
    const whole = { start: 0, end: bytes.length, view: 'utf-8', role: 'value' } as const
    scan(exceptKnown(audit), {
      location: printable(path),
      format: 'name',
      bytes,
      isText: false,
      table: () => ({ extents: [whole], regions: [] }),
    })
  }
}
