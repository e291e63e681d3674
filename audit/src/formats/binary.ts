import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import type { FormatFile, OtherFormat } from './audited-format.ts'
import { constantsOfLua, isCompiledLua } from './compiled-lua.ts'
import { constantsOfPython, isCompiledPython } from './compiled-python.ts'
import { joinPieces, type Piece } from './join-pieces.ts'
import { reportJoined } from './report-joined.ts'

/** Bytes of no format that is known; of compiled Python and Lua, the constants of a function are read together. */
export const binary: OtherFormat = {
  by: 'rest',
  name: 'binary',
  readMore: readConstants,
  injectors: async () => [(await import('../self-test/injectors/binary.ts')).binary],
}

const stepsOfByte = 5

async function readConstants(audit: ScanContext, file: FormatFile): Promise<void> {
  const groups = isCompiledPython(file.bytes)
    ? constantsOfPython(file.bytes)
    : isCompiledLua(file.bytes)
      ? constantsOfLua(file.bytes)
      : null
  if (groups === null) return
  pay(audit.effort, file.bytes.length * stepsOfByte)
  const made: Piece[] = []
  try {
    for (const group of groups) {
      made.push(...joinPieces(group, audit.prefix, audit.leastSuffix))
      for (const piece of group) if (piece.text.includes(audit.prefix)) made.push(piece)
    }
  } catch (error) {
    // Its bytes are searched, whatever they are.
    if (!(error instanceof RangeError)) throw error
  }
  await reportJoined(audit, file, made)
}
