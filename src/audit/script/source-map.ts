import { isRecord } from '../../base/tokens/decode.ts'
import { inside } from '../model/location.ts'
import { scan } from '../scan/scan.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { foldWhereWorth } from './fold-where-worth.ts'

/** Audits each source inside a map under its own name. @returns whether the bytes are a source map. */
export async function auditSourceMap(audit: ScanContext, location: string, bytes: Buffer): Promise<boolean> {
  let map: unknown
  try {
    map = JSON.parse(bytes.toString('utf8').replace(/^\)\]\}'[^\n]*\n/, ''))
  } catch {
    audit.collector.gap('fallback', location, 'read as raw bytes: its source-map tables do not parse')
    return false
  }
  const maps = [map, ...(isRecord(map) && Array.isArray(map['sections']) ? map['sections'].map(mapOf) : [])]
  let isMap = false
  for (const one of maps) {
    if (!isRecord(one) || !Array.isArray(one['sources'])) continue
    isMap = true
    const contents = Array.isArray(one['sourcesContent']) ? (one['sourcesContent'] as readonly unknown[]) : []
    for (const [index, content] of contents.entries()) {
      if (typeof content !== 'string') continue
      const sources = one['sources'] as readonly unknown[]
      const file = {
        location: inside(location, String(sources[index] ?? `source ${index}`)),
        format: 'javascript',
        bytes: Buffer.from(content),
      }
      audit.spent.entries += 1
      scan(audit, { ...file, isText: true })
      // Sources are in any language; what was made of them ships as a script of its own.
      await foldWhereWorth(audit, { ...file, base: 0, isCertain: false })
    }
  }
  return isMap
}

function mapOf(section: unknown): unknown {
  return isRecord(section) ? section['map'] : undefined
}
