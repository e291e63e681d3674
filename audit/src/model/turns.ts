import { collectGarbage } from './garbage.ts'

const [free, taken] = [0, 1]
/** What takes less memory than this is done by two threads at once. */
const worthATurn = 48 * 1024 * 1024
/** Without an end to it, a thread that dies in its turn would end the other one as well. */
const longestWaitMs = 20_000

let turns: Int32Array<SharedArrayBuffer> | null = null
let held = 0

export function createTurns(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4))
}

/** From now on this thread takes turns with the one that has the same memory; with none after `null`. */
export function shareTurns(shared: Int32Array<SharedArrayBuffer> | null): void {
  turns = shared
}

const nothing: Disposable = { [Symbol.dispose]() {} }

/**
 * Waits until no other thread does what takes much memory, and keeps others from it until it is disposed of.
 * @param bytes about how much memory it takes
 */
export function takeTurn(bytes: number): Disposable {
  if (turns === null || bytes < worthATurn) return nothing
  const shared = turns
  held += 1
  if (held === 1)
    while (Atomics.compareExchange(shared, 0, free, taken) !== free)
      if (Atomics.wait(shared, 0, taken, longestWaitMs) === 'timed-out') break
  return {
    [Symbol.dispose]() {
      held -= 1
      if (held > 0) return
      collectGarbage()
      Atomics.store(shared, 0, free)
      Atomics.notify(shared, 0)
    },
  }
}
