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

/** Counts the work of an audit that is followed. */
export interface Followed {
  /** A file on disk is next. */
  begin(size: number): void
  /** A container turns out to hold more files and bytes than it is itself. */
  grow(files: number, bytes: number): void
  /** From now on until `leave`, this is what is read. */
  enter(location: string): void
  leave(): void
  readonly progress: Progress
}

const step = 1024 * 1024
const nothing = { files: 0, bytes: 0 }

/**
 * Tells after each megabyte what is read next. Locations inside containers are told.
 * @param known all files on disk, and their bytes
 */
export function createFollowed(
  spent: { readonly entries: number },
  known: { readonly files: number; readonly bytes: number },
  tell: OnProgress,
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
    begin(onDisk) {
      size = onDisk
      start = { files: spent.entries, bytes }
      begun = { files: begun.files + 1, bytes: begun.bytes + size }
      inside = nothing
    },
    grow(files, more) {
      inside = { files: inside.files + files, bytes: inside.bytes + more }
    },
    enter() {},
    leave() {},
    progress(location, next) {
      if (bytes - told >= step) {
        told = bytes
        // Files that are done have a known total. The file at hand holds what its headers say.
        const { entries: files } = spent
        tell(location, {
          files,
          bytes,
          knownFiles: known.files + Math.max(files, start.files + 1 + inside.files) - begun.files,
          knownBytes: known.bytes + Math.max(bytes, start.bytes + size + inside.bytes) - begun.bytes,
        })
      }
      bytes += next
    },
  }
}
