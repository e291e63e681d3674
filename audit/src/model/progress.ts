/** How far an audit is, in innermost files and in bytes after decompression. What is known grows as archives are opened. */
export interface Work {
  readonly files: number
  readonly bytes: number
  readonly knownFiles: number
  readonly knownBytes: number
}

/** Is told what is about to be read, and how far the audit is by then. */
export type OnProgress = (location: string, work: Work) => void

/** Is told what is about to be read, and how many bytes that are. */
export type Progress = (location: string, bytes: number) => void

/** The files and bytes of a path that one thread has read. The grown ones count beyond those on disk. */
export interface ReadSoFar {
  readonly files: number
  readonly bytes: number
  readonly grownFiles: number
  readonly grownBytes: number
}

/** Counts the work of an audit that is followed. */
export interface Followed {
  /** A path begins anew. */
  reset(): void
  /** A file on disk is next. */
  begin(size: number): void
  /** A container turns out to hold more files and bytes than it is itself. */
  grow(files: number, bytes: number): void
  readonly progress: Progress
}

const step = 1024 * 1024
const nothing = { files: 0, bytes: 0 }

/** Tells after each megabyte what is read next. Locations inside containers are told. */
export function createFollowed(
  spent: { readonly entries: number },
  tell: (location: string, read: ReadSoFar) => void,
): Followed {
  let bytes = 0
  let told = 0
  /** Files on disk that were begun, and their bytes. */
  let begun = nothing
  /** The work done when the file at hand was begun, and the contents of its containers beyond their size. */
  let start = nothing
  let inside = nothing
  let size = 0
  return {
    reset() {
      bytes = 0
      told = 0
      begun = nothing
      start = nothing
      inside = nothing
    },
    begin(onDisk) {
      size = onDisk
      start = { files: spent.entries, bytes }
      begun = { files: begun.files + 1, bytes: begun.bytes + size }
      inside = nothing
    },
    grow(files, more) {
      inside = { files: inside.files + files, bytes: inside.bytes + more }
    },
    progress(location, next) {
      if (bytes - told >= step) {
        told = bytes
        // Files that are done have a known total. The file at hand holds what its headers say.
        const { entries: files } = spent
        tell(location, {
          files,
          bytes,
          grownFiles: Math.max(files, start.files + 1 + inside.files) - begun.files,
          grownBytes: Math.max(bytes, start.bytes + size + inside.bytes) - begun.bytes,
        })
      }
      bytes += next
    },
  }
}
