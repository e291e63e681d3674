import { threadId } from 'node:worker_threads'
import { collectGarbage } from './garbage.ts'

/** In place of the thread whose turn it is. */
const free = 0
const [state, threads] = [0, 1]
/** Bytes of memory below which two threads work at once. */
const worthATurn = 48 * 1024 * 1024
/** Without an end to it, a thread that dies in its turn would end the other one as well. */
const longestWaitMs = 20_000

let turns: Turns | null = null
let held = 0

export type Turns = Int32Array<SharedArrayBuffer>

export function createTurns(): Turns {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** Says how many threads read: one alone takes no turns. */
export function countThreads(turns: Turns, count: number): void {
  Atomics.store(turns, threads, count)
}

/** Gives back the turn of a thread, where it has one. */
export function freeTurn(turns: Turns, thread: number): void {
  if (Atomics.compareExchange(turns, state, markOf(thread), free) === markOf(thread))
    Atomics.notify(turns, state)
}

/** The main thread is 0. */
function markOf(thread: number): number {
  return thread + 1
}

/** From now on this thread takes turns with those that have the same memory; with none after `null`. */
export function shareTurns(shared: Turns | null): void {
  turns = shared
}

const nothing: Disposable = { [Symbol.dispose]() {} }

/**
 * Waits until no other thread does what takes much memory, and keeps others from it until it is disposed of.
 * @param bytes about how much memory it takes
 */
export function takeTurn(bytes: number): Disposable {
  if (turns === null || bytes < worthATurn || Atomics.load(turns, threads) < 2) return nothing
  const shared = turns
  held += 1
  if (held === 1)
    for (;;) {
      const holder = Atomics.compareExchange(shared, state, free, markOf(threadId))
      if (holder === free || Atomics.wait(shared, state, holder, longestWaitMs) === 'timed-out') break
    }
  return {
    [Symbol.dispose]() {
      held -= 1
      if (held > 0) return
      collectGarbage()
      freeTurn(shared, threadId)
    },
  }
}
