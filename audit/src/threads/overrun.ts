import type { Limits } from '../model/settings.ts'
import type { SeenPulse } from './pulse-memory.ts'

/** Which limit reading something has passed: `total` is the time of a file on disk with all that is packed into it. */
export type Overrun = 'time' | 'total' | 'memory' | 'findings'

/** The resources that the process has spent so far. */
export interface Spending {
  /** On the wall clock. */
  readonly now: number
  /** The time of all processors. */
  readonly processorMs: number
  readonly residentBytes: number
  /** Threads that keep a processor busy. */
  readonly busyThreads: number
}

/**
 * On a busy machine a thread gets a part of a processor: its own time counts. The clock counts only where the thread has
 * waited so much longer, and with so small a part that it waits for something else than a processor.
 */
const clockFactor = 10
const idleShare = 0.02

/** A machine that was asleep, or too busy for the look itself, passes no more time than this from one look to the next. */
const longestBetweenMs = 1000

/** A large file has the time of a small one for each of these. */
const bytesOfTime = 10 * 1024 * 1024

interface Moment {
  readonly clock: number
  /** Processor time of this thread, as far as that is known: its share. */
  readonly own: number
}

/** Looks again and again at what one thread does, and says when that goes too far. */
export function createWatch(
  { fileSeconds, fileMemory }: Pick<Limits, 'fileSeconds' | 'fileMemory'>,
  first: Spending,
): (seen: SeenPulse, spending: Spending) => Overrun | null {
  let last = first
  let now: Moment = { clock: 0, own: 0 }
  let [beats, file]: readonly (number | null)[] = [null, null]
  let part: Moment & { readonly resident: number } = { ...now, resident: first.residentBytes }
  let whole: Moment & { readonly inflated: number } = { ...now, inflated: 0 }
  return (seen, spending) => {
    const before = now
    now = {
      clock: now.clock + Math.min(spending.now - last.now, longestBetweenMs),
      own: now.own + (spending.processorMs - last.processorMs) / Math.max(1, last.busyThreads),
    }
    // Before its first file, it loads the program.
    const isNext = seen.beats !== beats || seen.file === null
    // Since the look before: how much memory there was when it began.
    if (isNext) part = { ...before, resident: last.residentBytes }
    if (seen.file !== file || seen.file === null) whole = { ...before, inflated: seen.inflated }
    beats = seen.beats
    file = seen.file
    last = spending
    const longest = fileSeconds * 1000
    const size = Math.max(0, seen.inflated - whole.inflated)
    if (isOver(part, now, longest)) return 'time'
    // Each part has its limit: the file is not given up for the one that is read now.
    if (isOver(whole, part, longest * (1 + size / bytesOfTime))) return 'total'
    return spending.residentBytes - part.resident > fileMemory ? 'memory' : null
  }
}

function isOver(from: Moment, to: Moment, ms: number): boolean {
  const [passed, own] = [to.clock - from.clock, to.own - from.own]
  return passed >= ms && (own >= ms || (passed >= clockFactor * ms && own < idleShare * passed))
}
