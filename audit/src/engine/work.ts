import type { Work } from '../model/progress.ts'
import type { SharedFiles } from '../threads/share-files.ts'
import type { Audit } from './context.ts'
import { type FileOnDisk, sizeOnDisk } from './walk-files.ts'

/** Keeps count of what an audit has read of all files on disk, and of what is left. */
export interface WorkCount {
  /** The files of a path are next. */
  begin(shared: SharedFiles): void
  open(file: FileOnDisk): void
  /** The path is done. */
  end(): void
}

const none = { files: 0, bytes: 0 }

/** `null` where no one asks. Sizes of files are only looked up when they are. */
export function countWork(
  { followed, spent }: Audit,
  paths: readonly (readonly FileOnDisk[])[],
): WorkCount | null {
  if (followed === null) return null
  const sizes = new Map<FileOnDisk, number>()
  const sizeOf = (file: FileOnDisk) => {
    const size = sizes.get(file) ?? sizeOnDisk(file)
    sizes.set(file, size)
    return size
  }
  const sum = (files: readonly FileOnDisk[]) => ({
    files: files.length,
    bytes: files.reduce((total, file) => total + sizeOf(file), 0),
  })
  let later = [...paths]
  let shared: SharedFiles | null = null
  let file: FileOnDisk | null = null
  /** Of paths that are done: innermost files, and bytes that another thread has read. */
  let before = none
  /** When the file at hand was opened. */
  let start = none
  const readHere = () => ({ files: before.files + spent.entries, bytes: followed.bytes })
  const readElsewhere = () => {
    const { files, bytes } = sum(shared?.elsewhere() ?? [])
    return { files: shared?.isMerged() === true ? 0 : files, bytes: before.bytes + bytes }
  }
  const leftOfFile = () => {
    if (file === null) return none
    const [now, { inside }] = [readHere(), followed]
    return {
      files: Math.max(0, 1 + inside.files - (now.files - start.files)),
      bytes: Math.max(0, sizeOf(file) + inside.bytes - (now.bytes - start.bytes)),
    }
  }
  followed.work = (): Work => {
    const done = plus(readHere(), readElsewhere())
    const left = [leftOfFile(), sum(shared?.waiting() ?? []), ...later.map(sum)].reduce(plus, none)
    const known = plus(done, left)
    return { ...done, knownFiles: known.files, knownBytes: known.bytes }
  }
  return {
    begin(next) {
      shared = next
      later = later.slice(1)
    },
    open(next) {
      file = next
      start = readHere()
      followed.inside = none
    },
    end() {
      before = { files: before.files + spent.entries, bytes: readElsewhere().bytes }
      shared = null
      file = null
    },
  }
}

function plus(one: typeof none, other: typeof none): typeof none {
  return { files: one.files + other.files, bytes: one.bytes + other.bytes }
}
