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

const mostOfModule = 500

/** Gives a text, or what it is in base64. */
function decodedFrom(text: string): string {
  const isEncoded = text.length >= 24 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
  const decoded = isEncoded ? Buffer.from(text, 'base64').toString('latin1') : text
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : text
}

async function readConstants(audit: ScanContext, file: FormatFile): Promise<void> {
  const groups = isCompiledPython(file.bytes)
    ? constantsOfPython(file.bytes, (text) => decodedFrom(text).includes(audit.prefix))
    : isCompiledLua(file.bytes)
      ? constantsOfLua(file.bytes)
      : null
  if (groups === null) return
  pay(audit.effort, file.bytes.length * stepsOfByte)
  const made: Piece[] = []
  const all: Piece[] = []
  try {
    for (const group of groups) {
      made.push(...joinPieces(group, audit.prefix, audit.leastSuffix))
      for (const { text, offset } of group)
        if (decodedFrom(text).includes(audit.prefix)) made.push({ text: decodedFrom(text), offset })
      // A word of the prefix alone may be in another function than the rest.
      all.push(...group.filter(({ text }) => !text.includes(audit.prefix)))
    }
  } catch (error) {
    // Its bytes are searched, whatever they are.
    if (!(error instanceof RangeError)) throw error
  }
  if (made.length === 0 && all.length <= mostOfModule)
    made.push(...joinPieces(all, audit.prefix, audit.leastSuffix))
  await reportJoined(audit, file, made)
}
