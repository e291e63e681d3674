import type { ScanContext } from '../scan/scan-context.ts'
import type { FormatFile } from './audited-format.ts'
import type { Piece } from './join-pieces.ts'

/** Reports keys that were joined. Few files have one: what reports them is loaded for those alone. */
export async function reportJoined(
  audit: ScanContext,
  file: FormatFile,
  made: readonly Piece[],
): Promise<void> {
  const longer = made.filter(({ text }) => text.length > audit.prefix.length)
  if (longer.length === 0) return
  const { reportMade } = await import('../bytecode/report.ts')
  reportMade(audit, file, longer)
}
