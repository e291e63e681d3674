import type { Audit } from './context.ts'
import { orGap } from './or-gap.ts'

/** A file of a folder or an archive that may be read a second time. */
export interface FileAgain {
  readonly location: string
  /** Gives its bytes; `null` where they cannot be read, or are more than there is room for. */
  read(room: number): Buffer | null
}

/** The most bytes of scripts, or of classes, that are read a second time. */
const mostTogether = 64 * 1024 * 1024

const script = /\.(?:[cm]?js|jsx|(?:js)?bundle|x?html?)$/i
const classFile = /\.class$/

/** Reads the classes, and the scripts, of a folder or an archive together where one of them has a piece of a key. */
export async function auditTogether(
  audit: Audit,
  location: string,
  files: readonly FileAgain[],
  room = mostTogether,
): Promise<void> {
  const { parts } = audit.archive
  const kindOf = (kind: RegExp) => {
    const own = parts.size === 0 ? [] : files.filter((file) => kind.test(file.location))
    return own.some((file) => parts.has(file.location)) ? bounded(own, room) : []
  }
  const [classes, scripts] = [kindOf(classFile), kindOf(script)]
  if (classes.length > 0) {
    const { foldClasses } = await import('../bytecode/fold-classes.ts')
    await orGap(audit, location, () => foldClasses(audit, location, classes))
  }
  if (scripts.length > 0) {
    const { foldTogether } = await import('../script/fold-together.ts')
    await orGap(audit, location, () => foldTogether(audit, scripts))
  }
}

/** Bounds what is read of them in all. */
function bounded(files: readonly FileAgain[], room: number) {
  let left = Math.min(mostTogether, room)
  return files.map((file) => ({
    location: file.location,
    read() {
      const bytes = file.read(left)
      left -= bytes?.length ?? 0
      return bytes
    },
  }))
}
