import { plausibleSize } from './budget.ts'
import { memberBytes, mostTogether } from './gzip-members.ts'
import type { ZipEntry } from './zip-entry.ts'
import { canInflateAside } from './zip-inflate.ts'

/** The entries of an archive, in the groups in which they are read. */
export interface Batches {
  /** What other threads may inflate: one large entry each, or many small ones. */
  readonly aside: readonly (readonly ZipEntry[])[]
  /** What is stored, what is unusual, and what is too little for another thread. */
  readonly here: readonly (readonly ZipEntry[])[]
}

/** Inflating fewer bytes costs less than waiting for another thread. */
const worthAThread = 128 * 1024
/** Larger entries are inflated alone. */
const largestTogether = 512 * 1024
const largestAlone = 32 * 1024 * 1024
const mostHere = 256

/** @param room how large an entry may be that is held in memory, in bytes */
export function batchesOf(entries: readonly ZipEntry[], room: number): Batches {
  const alone: ZipEntry[][] = []
  const together: ZipEntry[][] = []
  const here: ZipEntry[][] = []
  let open: ZipEntry[] = []
  let inflated = 0
  let packed = 0
  const close = () => {
    if (inflated >= worthAThread) together.push(open)
    else if (open.length > 0) here.push(open)
    open = []
    inflated = 0
    packed = 0
  }
  const takeHere = (entry: ZipEntry) => {
    const last = here.at(-1)
    if (last === undefined || last.length >= mostHere) here.push([entry])
    else last.push(entry)
  }
  for (const entry of entries) {
    const size = entry.size ?? 0
    const compressed = entry.dataEnd - entry.dataStart
    if (!canInflateAside(entry) || size > Math.min(room, largestAlone) || size > plausibleSize(compressed))
      takeHere(entry)
    else if (size > largestTogether) alone.push([entry])
    // What is larger packed than inflated is no honest entry: many of them may share the same bytes.
    else if (compressed > size + memberBytes) takeHere(entry)
    else {
      const member = { inflated: size + memberBytes, packed: compressed + memberBytes }
      if (inflated + member.inflated > mostTogether || packed + member.packed > mostTogether) close()
      open.push(entry)
      inflated += member.inflated
      packed += member.packed
    }
  }
  close()
  return { aside: [...alone, ...together], here }
}

export function isAlone([first]: readonly ZipEntry[]): boolean {
  return (first?.size ?? 0) > largestTogether
}
