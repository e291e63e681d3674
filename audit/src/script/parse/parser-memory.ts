import { collectGarbage } from '../../model/garbage.ts'

/** A tree takes about 400 bytes a token: with so many, the whole process stays below 400 MB. */
const mostTokens = 700_000

/** Words and marks, counted roughly, comments included: what decides how large the tree of a script becomes. */
function tokensIn(text: string): number {
  let count = 0
  let wasWord = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isWord =
      (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58) || code === 95
    if (isWord ? !wasWord : code > 32) count += 1
    wasWord = isWord
  }
  return count
}

/** Says whether a script's tree would take more memory than there is for it. */
export function isTooLargeForTree(text: string): boolean {
  return text.length > mostTokens && tokensIn(text) > mostTokens
}

let sinceCollected = 0
let garbage = 0

/** Trees that are done with are garbage, which V8 lets pile up to gigabytes: it is taken away before that. */
export function makeRoomFor(text: string): void {
  sinceCollected += text.length
  if (sinceCollected < 3 * mostTokens) return
  sinceCollected = text.length
  collect()
}

const mostGarbage = 24 * 1024 * 1024
/** More than the largest tree takes, with all of the program. */
const mostHeld = 160 * 1024 * 1024
const bytesLookedAtInStep = 16

/**
 * The same for the values that an expression has made, in bytes.
 * @returns the steps that this has taken; infinitely many where too much is held after it
 */
export function leaveBehind(bytes: number): number {
  garbage += bytes
  if (garbage <= mostGarbage) return 0
  collect()
  const { heapUsed } = process.memoryUsage()
  return heapUsed > mostHeld ? Number.POSITIVE_INFINITY : heapUsed / bytesLookedAtInStep
}

function collect(): void {
  garbage = 0
  collectGarbage()
}
