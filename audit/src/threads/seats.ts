import { availableParallelism } from 'node:os'
import type { Kind } from './kind.ts'
import { type ReadingThread, startReadingThread } from './reading-thread.ts'

/**
 * The place of one thread. Audits of one process share as many as there are processors: more threads would start and read
 * at the cost of each other. One audit after the other has a seat, and its thread goes on from one to the next.
 */
export interface Seat extends AsyncDisposable {
  /** The thread in this seat, which is started where there is none. */
  thread(): ReadingThread
  /** The thread has ended: the next one takes its place. */
  empty(): void
}

interface Idle extends Kind {
  readonly thread: ReadingThread
}

const seats = availableParallelism()
const idle: Idle[] = []
const waiting: (() => void)[] = []
let taken = 0

/** @param begin tells a thread that takes the seat what it is going to read */
export async function takeSeat(kind: Kind, begin: (thread: ReadingThread) => void): Promise<Seat> {
  if (taken >= seats) await new Promise<void>((resolve) => waiting.push(resolve))
  else taken += 1
  return seatOf(kind, begin)
}

/** A seat that no other audit has or waits for; `null` where there is none. */
export function takeFreeSeat(kind: Kind, begin: (thread: ReadingThread) => void): Seat | null {
  if (taken >= seats) return null
  taken += 1
  return seatOf(kind, begin)
}

/** Starts a thread before an audit asks for one. */
export function startThread(kind: Kind): void {
  const thread = startReadingThread(kind)
  thread.rest()
  idle.push({ ...kind, thread })
}

function seatOf(kind: Kind, begin: (thread: ReadingThread) => void): Seat {
  let thread: ReadingThread | null = null
  return {
    thread() {
      if (thread !== null) return thread
      thread = takeIdle(kind) ?? startReadingThread(kind)
      begin(thread)
      return thread
    },
    empty() {
      thread = null
    },
    async [Symbol.asyncDispose]() {
      const surplus = idle.length >= seats ? idle.shift() : undefined
      if (thread !== null) {
        thread.rest()
        idle.push({ ...kind, thread })
      }
      thread = null
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
      await surplus?.thread.close()
    },
  }
}

function takeIdle({ program, heapMegabytes }: Kind): ReadingThread | null {
  const at = idle.findIndex((one) => one.program === program && one.heapMegabytes === heapMegabytes)
  return at === -1 ? null : (idle.splice(at, 1)[0]?.thread ?? null)
}
