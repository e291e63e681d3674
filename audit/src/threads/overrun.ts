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
 * On a busy machine a thread gets a part of a processor: its own time counts, and the clock only where it has waited for
 * something else so much longer.
 */
const clockFactor = 10

/** A large file has the time of a small one for each of these. */
const bytesOfTime = 10 * 1024 * 1024

interface Since {
  readonly now: number
  readonly own: number
}

/** Looks again and again at what one thread does, and says when that goes too far. */
export function createWatch(
  { fileSeconds, fileMemory }: Pick<Limits, 'fileSeconds' | 'fileMemory'>,
  first: Spending,
): (seen: SeenPulse, spending: Spending) => Overrun | null {
  let last = first
  /** Processor time of this thread, as far as that is known: its share. */
  let own = 0
  let [beats, file]: readonly (number | null)[] = [null, null]
  let part: Since & { readonly resident: number } = { now: first.now, own, resident: first.residentBytes }
  let whole: Since & { readonly inflated: number } = { now: first.now, own, inflated: 0 }
  return (seen, spending) => {
    const since = { now: last.now, own }
    own += (spending.processorMs - last.processorMs) / Math.max(1, last.busyThreads)
    // Before its first file, it loads the program.
    const isNext = seen.beats !== beats || seen.file === null
    // Since the look before: how much memory there was when it began.
    if (isNext) part = { ...since, resident: last.residentBytes }
    if (seen.file !== file || seen.file === null) whole = { ...since, inflated: seen.inflated }
    beats = seen.beats
    file = seen.file
    last = spending
    const longest = fileSeconds * 1000
    const isOver = ({ now, own: before }: Since, ms: number) => {
      const passed = spending.now - now
      return passed >= ms && (own - before >= ms || passed >= clockFactor * ms)
    }
    const size = Math.max(0, seen.inflated - whole.inflated)
    if (isOver(part, longest)) return 'time'
    if (isOver(whole, longest * (1 + size / bytesOfTime))) return 'total'
    return spending.residentBytes - part.resident > fileMemory ? 'memory' : null
  }
}
