import { createHash } from 'node:crypto'
import type { Budgeted } from '../containers/budget.ts'
import type { Stretch } from '../model/collector.ts'

/** Remembers what was audited, so that the same bytes under the same name are read once and reported everywhere. */
export interface DedupeCache {
  /** Audits bytes unless they are known: then what was found is reported in this location as well. */
  once(
    audit: Pick<Budgeted, 'collector' | 'spent'>,
    item: { readonly location: string; readonly name: string; readonly bytes: Buffer },
    read: () => Promise<boolean>,
  ): Promise<boolean>
}

interface Known {
  readonly location: string
  /** The findings and gaps that were collected while it was read. */
  readonly found: Stretch
  readonly entries: number
  readonly bytes: number
}

const mostRemembered = 50_000

export function createDedupeCache(): DedupeCache {
  const seen = new Map<string, Known>()
  return {
    async once({ collector, spent }, { location, name, bytes }, read) {
      const key = `${createHash('sha256').update(bytes).digest('base64')}\0${name}`
      const known = seen.get(key)
      if (known !== undefined) {
        spent.inflated += bytes.length
        spent.entries += known.entries
        spent.bytes += known.bytes
        if (known.found.end > known.found.start) collector.repeat(known.found, known.location, location)
        return true
      }
      const { entries, bytes: before } = spent
      const start = collector.count()
      const isDone = await read()
      if (isDone && seen.size < mostRemembered)
        seen.set(key, {
          location,
          found: { start, end: collector.count() },
          entries: spent.entries - entries,
          bytes: spent.bytes - before,
        })
      return isDone
    },
  }
}
