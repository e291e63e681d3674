import type { FileOnDisk } from '../engine/walk-files.ts'

const [open, first, second, left] = [0, 1, 2, 3]

/** Which of two threads reads a file, in memory that both see. */
export interface Claims {
  readonly shared: Int32Array<SharedArrayBuffer>
  /** `true` where the file is this thread's from now on. */
  takeFirst(index: number): boolean
  takeSecond(index: number): boolean
  /** Gives back a file that the second thread has taken. */
  leave(index: number): void
  /** Files that are open, or given back. */
  waiting(): number[]
  /** Files that the second thread has taken and not given back. */
  taken(): number[]
  /** A file that was given back and is the first thread's from now on; `null` where there is none so far. */
  takeLeft(): number | null
  /** All that the second thread has taken, unless the first one has them back. */
  ofSecond(): number[]
}

export function createClaims(files: readonly FileOnDisk[]): Claims {
  return claimsIn(new Int32Array(new SharedArrayBuffer(4 * (2 * files.length + 1))))
}

/** The state of each file, what was given back in its order, and how many of those there are. */
export function claimsIn(shared: Int32Array<SharedArrayBuffer>): Claims {
  const count = (shared.length - 1) / 2
  const end = 2 * count
  let taken = 0
  const take = (index: number, by: number) => Atomics.compareExchange(shared, index, open, by) === open
  const those = (...wanted: readonly number[]) =>
    Array.from({ length: count }, (_, index) => index).filter((index) =>
      wanted.includes(Atomics.load(shared, index)),
    )
  return {
    shared,
    takeFirst: (index) => take(index, first),
    takeSecond: (index) => take(index, second),
    leave(index) {
      Atomics.store(shared, index, left)
      Atomics.store(shared, count + Atomics.load(shared, end), index)
      Atomics.add(shared, end, 1)
    },
    takeLeft() {
      if (taken === Atomics.load(shared, end)) return null
      const index = Atomics.load(shared, count + taken)
      taken += 1
      Atomics.store(shared, index, first)
      return index
    },
    waiting: () => those(open, left),
    taken: () => those(second),
    ofSecond: () => those(second, left),
  }
}
