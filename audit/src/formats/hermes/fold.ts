import { mayTell, reportMade } from '../../bytecode/report.ts'
import { OverEffort, ofScript, partOf } from '../../model/effort.ts'
import type { ScanContext } from '../../scan/scan-context.ts'
import type { FormatFile } from '../audited-format.ts'
import { codeOf } from './code.ts'
import { explore } from './explore.ts'
import { instructionsOf } from './instructions.ts'
import { type Layout, layoutOf } from './tables.ts'
import { surveyOf } from './worth.ts'

/**
 * Reports the keys that the functions of Hermes bytecode put together from constants. Functions that have no piece of a
 * prefix, and nothing that makes characters, are passed by.
 */
export function foldHermes(audit: ScanContext, file: FormatFile): void {
  const layout = layoutIn(audit, file)
  const code = layout === null ? null : codeOf(file.bytes, layout)
  if (layout === null || code === null) return
  const own = partOf(audit.effort, ofScript(file.bytes.length))
  try {
    const survey = surveyOf(code, layout, audit.prefix, own)
    if (survey === null) return
    reportMade(
      audit,
      file,
      explore(code, survey, own, (text) => mayTell(text, audit.prefix)),
    )
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
    audit.collector.gap(
      'limit',
      file.location,
      'not completely folded: its functions cost more than the limits allow',
    )
  }
}

/** `null`, and a gap, where the tables of a known version do not parse: then the bytes are all that is read. */
function layoutIn({ collector }: ScanContext, { location, format, bytes }: FormatFile): Layout | null {
  try {
    return layoutOf(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    if (bytes.length > 12 && instructionsOf(bytes.readUInt32LE(8)) !== null)
      collector.gap('fallback', location, `read as raw bytes: its ${format} tables do not parse`)
    return null
  }
}
