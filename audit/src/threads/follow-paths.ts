import { sizeOf } from '../engine/walk-files.ts'
import type { OnProgress, ReadSoFar } from '../model/progress.ts'
import type { Walked } from './orders.ts'

/** Adds up what threads tell of how far they are. */
export interface FollowedPaths {
  tell(thread: object, location: string, read: ReadSoFar): void
  /** The path at hand is read. */
  end(read: { readonly entries: number; readonly bytes: number }): void
}

export function followPaths(onProgress: OnProgress, paths: readonly Walked[]): FollowedPaths {
  const sizes = paths.map(({ files }) => ({
    files: files.length,
    bytes: files.reduce((sum, file) => sum + sizeOf(file), 0),
  }))
  let path = 0
  let before = { files: 0, bytes: 0 }
  const told = new Map<object, ReadSoFar>()
  return {
    tell(thread, location, read) {
      told.set(thread, read)
      const now = [...told.values()]
      const sum = (of: (one: ReadSoFar) => number) => now.reduce((total, one) => total + of(one), 0)
      const left = sizes.slice(path)
      onProgress(location, {
        files: before.files + sum(({ files }) => files),
        bytes: before.bytes + sum(({ bytes }) => bytes),
        knownFiles: left.reduce(
          (total, { files }) => total + files,
          before.files + sum((one) => one.grownFiles),
        ),
        knownBytes: left.reduce(
          (total, { bytes }) => total + bytes,
          before.bytes + sum((one) => one.grownBytes),
        ),
      })
    },
    end({ entries, bytes }) {
      path += 1
      before = { files: before.files + entries, bytes: before.bytes + bytes }
      told.clear()
    },
  }
}
