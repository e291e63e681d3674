import { cluesFor, type ReadScript } from './clues.ts'
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
  const inText = (text: string) => {
    const script: ReadScript = { bytes: () => Buffer.from(text, 'latin1'), text: () => text }
    return wanted.some(({ sign, confirms }) => sign.test(text) && confirms(script))
  }
  const mark = createClueMarker(wanted)
  const fragments: Fragments = {
    inText,
    inBytes(bytes) {
      if (mark === null) return inText(bytes.toString('latin1'))
      const script = readingOf(bytes)
      return [...mark(bytes)].some(({ confirms }) => confirms(script))
    },
  }
  made.set(prefix, fragments)
  return fragments
}

function readingOf(bytes: Buffer): ReadScript {
  let text: string | undefined
  return {
    bytes: () => bytes,
    text() {
      text ??= bytes.toString('latin1')
      return text
    },
  }
}
