import type { FileOnDisk } from '../walk-files.ts'

const [open, first, second, left] = [0, 1, 2, 3]

/** Which of two threads reads a file, in memory that both see. */
export interface Claims {
  readonly states: Int32Array<SharedArrayBuffer>
  /** `true` where the file is this thread's from now on. */
  takeFirst(index: number): boolean
  takeSecond(index: number): boolean
  /** Gives back a file that the second thread has taken. */
  leave(index: number): void
  left(): number[]
  /** All that the second thread has taken, given back or not. */
  ofSecond(): number[]
}

export function createClaims(files: readonly FileOnDisk[]): Claims {
  const states = new Int32Array(new SharedArrayBuffer(4 * files.length))
  return claimsIn(states)
}

export function claimsIn(states: Int32Array<SharedArrayBuffer>): Claims {
  const take = (index: number, by: number) => Atomics.compareExchange(states, index, open, by) === open
  const those = (wanted: readonly number[]) =>
    Array.from(states.keys()).filter((index) => wanted.includes(Atomics.load(states, index)))
  return {
    states,
    takeFirst: (index) => take(index, first),
    takeSecond: (index) => take(index, second),
    leave: (index) => void Atomics.store(states, index, left),
    left: () => those([left]),
    ofSecond: () => those([second, left]),
  }
}
