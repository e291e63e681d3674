import { takeTurn } from '../model/turns.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { fragmentsOf } from './clues/fragments.ts'
import type { ScriptText } from './fold-script.ts'
import { metroModule } from './links/chunk-modules.ts'

/** Memory for each byte of a script: its tree, with the data made of it. */
export const treeBytesOfByte = 100

const largestChunk = 128 * 1024

/** Folds a script that contains a fragment of what is looked for; the parser is loaded for the first of them. */
export async function foldWhereWorth(audit: ScanContext, script: ScriptText): Promise<void> {
  const { isWorth, hasPiece, isSpelled, isSpelledApart } = fragmentsOf(audit.prefix).read(script.bytes)
  const { bytes, location } = script
  // Modules of Metro need helpers of others to make a key, even of what no other one has a piece of; a chunk that is loaded
  // when it is needed gives what it has made.
  const mayGive = () =>
    bytes.includes(metroModule) ? isSpelled() : bytes.length <= largestChunk && isSpelledApart()
  if (hasPiece || (isWorth && mayGive())) audit.archive.parts.add(location)
  if (!isWorth) return
  const { foldScript } = await import('./fold-script.ts')
  using _turn = takeTurn(treeBytesOfByte * script.bytes.length)
  foldScript(audit, script)
}
