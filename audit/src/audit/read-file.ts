import type { Format } from '../formats/registry.ts'
import { fromUtf16 } from '../formats/utf-16.ts'
import { exceptKnown } from '../model/collector.ts'
import { findHits, type Hits, scan } from '../search/scan.ts'
import { reachingInto, type Stretch } from '../search/string-table.ts'
import type { Audit, Item } from './context.ts'
import { orGap, reportFailure } from './or-gap.ts'

/**
 * A file that contains no other: read by its format's table where something is found in it, and every byte of it in any case.
 * @param given where its bytes were searched already
 */
export async function auditFile(
  audit: Audit,
  { location, name, bytes }: Omit<Item, 'depth'>,
  given?: Hits,
): Promise<void> {
  const format = audit.formats.formatOf(name, bytes)
  const found = given ?? findHits(audit.searcher, { bytes })
  const { inspect, isCertain } = format
  // Each of the readings is one of its own: what ends one of them ends no other.
  if (inspect !== undefined) await orGap(audit, location, () => inspect(audit, location, bytes, found))
  const own = format.isReadTwice === true ? exceptKnown(audit) : audit
  const table = (stretches: readonly Stretch[]) => {
    try {
      const read = format.read?.(bytes)
      return read && { ...read, extents: reachingInto(stretches, read.extents) }
    } catch (error) {
      // The strings that were found are reported all the same.
      if (error instanceof RangeError) reportFallback(audit, location, format)
      else reportFailure(audit.collector, location, error)
      return undefined
    }
  }
  const text = format.isText ? null : fromUtf16(bytes)
  const scanned = { location, format: format.name, isPacked: format.packsStrings === true }
  const hits = text === null ? found : findHits(audit.searcher, { bytes: text })
  // The scan below reports findings that are only seen in the file's own bytes.
  if (text !== null)
    await orGap(audit, location, () => void scan(audit, { ...scanned, bytes: text, isText: true }, hits))
  await orGap(audit, location, () => {
    const file = { ...scanned, bytes, isText: format.isText, table }
    const isTableRead = scan(text === null ? own : exceptKnown(audit), file, found)
    // Where nothing was found, the tables tell no more than whether the file is whole.
    if (!isTableRead && isCutOff(format, bytes)) reportFallback(audit, location, format)
  })
  if (hits.isEmpty) return
  const file = { location, format: format.name, bytes: text ?? bytes, isCertain, hits }
  await orGap(audit, location, () => format.readMore?.(audit, file))
}

function reportFallback({ collector }: Audit, location: string, { name }: Format): void {
  collector.gap('fallback', location, `read as raw bytes: its ${name} tables do not parse`)
}

function isCutOff({ lengthAt }: Format, bytes: Buffer): boolean {
  return (
    lengthAt !== undefined && (lengthAt + 4 > bytes.length || bytes.readUInt32LE(lengthAt) > bytes.length)
  )
}
