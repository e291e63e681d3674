import type { Format } from '../formats/registry.ts'
import { fromUtf16 } from '../formats/utf-16.ts'
import { exceptKnown } from '../model/collector.ts'
import { ofFile, partOf } from '../model/effort.ts'
import { scan } from '../scan/scan.ts'
import { scanTornLiterals } from '../scan/torn-texts.ts'
import { scanWrapped } from '../scan/unwrap.ts'
import type { Audit, Item } from './context.ts'
import { orGap, reportFailure } from './or-gap.ts'

/** A file that contains no other: read by its format's table where it has one, and every byte of it in any case. */
export async function auditFile(whole: Audit, { location, name, bytes }: Omit<Item, 'depth'>): Promise<void> {
  const format = whole.formats.formatOf(name, bytes)
  const audit = { ...whole, effort: partOf(whole.effort, ofFile(bytes.length)) }
  const { inspect } = format
  // Each of the readings is one of its own: what ends one of them ends no other.
  if (inspect !== undefined) await orGap(audit, location, () => inspect(audit, location, bytes))
  const own = format.isReadTwice === true ? exceptKnown(audit) : audit
  const table = () => tableOf(audit, location, format, bytes)
  const text = format.isText ? null : fromUtf16(bytes)
  const scanned = { location, format: format.name, isPacked: format.packsStrings === true }
  const readMore = async (contents: Buffer) => {
    const { isCertain } = format
    await orGap(audit, location, () =>
      format.readMore?.(audit, { location, format: format.name, bytes: contents, isCertain }),
    )
  }
  if (text !== null) {
    // The scan below reports findings that are only seen in the file's own bytes.
    await orGap(audit, location, () => void scan(audit, { ...scanned, bytes: text, isText: true }))
    await readMore(text)
  }
  await orGap(audit, location, () => {
    const isTableRead = scan(text === null ? own : exceptKnown(audit), {
      ...scanned,
      bytes,
      isText: format.isText,
      table,
    })
    // Where nothing was found, the tables tell no more than whether the file is whole.
    if (!isTableRead && isCutOff(format, bytes)) reportFallback(audit, location, format)
  })
  if (text === null) await readMore(bytes)
  // Last: what is found without it is not reported a second time.
  const contents = text === null ? { bytes, isText: format.isText, table } : { bytes: text, isText: true }
  if (contents.isText)
    await orGap(audit, location, () => scanTornLiterals(audit, { ...scanned, ...contents }))
  await orGap(audit, location, () => scanWrapped(audit, { ...scanned, ...contents }))
}

function tableOf(audit: Audit, location: string, format: Format, bytes: Buffer) {
  try {
    return format.read?.(bytes)
  } catch (error) {
    // The strings that were found are reported all the same.
    if (error instanceof RangeError) reportFallback(audit, location, format)
    else reportFailure(audit.collector, location, error)
    return undefined
  }
}

function reportFallback({ collector }: Audit, location: string, { name }: Format): void {
  collector.gap('fallback', location, `read as raw bytes: its ${name} tables do not parse`)
}

function isCutOff({ lengthAt }: Format, bytes: Buffer): boolean {
  return (
    lengthAt !== undefined && (lengthAt + 4 > bytes.length || bytes.readUInt32LE(lengthAt) > bytes.length)
  )
}
