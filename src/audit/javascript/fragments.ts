import { cluesFor } from './clues.ts'
import { createClueMarker } from './mark-clues.ts'

/** Whether a script holds a piece of what is looked for, or can spell it, so that it is worth parsing. */
export interface Fragments {
  inText(text: string): boolean
  /** The same for bytes in UTF-8, which are only made a text where there is a sign. */
  inBytes(bytes: Buffer): boolean
}

const made = new Map<string, Fragments>()

export function fragmentsOf(prefix: string): Fragments {
  const known = made.get(prefix)
  if (known !== undefined) return known
  const wanted = cluesFor(prefix)
  const inText = (text: string) => wanted.some(({ sign, confirms }) => sign.test(text) && confirms(text))
  const mark = createClueMarker(wanted)
  const fragments: Fragments = {
    inText,
    inBytes(bytes) {
      if (mark === null) return inText(bytes.toString('latin1'))
      const signed = mark(bytes)
      if (signed.size === 0) return false
      const text = bytes.toString('latin1')
      return [...signed].some(({ confirms }) => confirms(text))
    },
  }
  made.set(prefix, fragments)
  return fragments
}
