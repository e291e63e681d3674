import { sizeOf } from '../engine/walk-files.ts'
import type { Collector } from '../model/collector.ts'
import { printable } from '../model/location.ts'
import { type AuditSettings, defaultLimits, type Limits } from '../model/settings.ts'
import { countOpen, createClaims } from './claims.ts'
import { costliestFirst } from './costliest-first.ts'
import { followPaths } from './follow-paths.ts'
import { giveUp, report } from './give-up.ts'
import { boundedByMachine, kindOf } from './kind.ts'
import { orderWatched } from './order-watched.ts'
import type { Again, Order, Task, Walked } from './orders.ts'
import type { Outcome, ReadingThread } from './reading-thread.ts'
import { type Seat, takeFreeSeat, takeSeat } from './seats.ts'

/** Between two looks at what the threads do. */
const lookMs = 50
/** When so much was read and some files are left, or many are, a second thread is worth its start. */
const worthBytes = 24 * 1024 * 1024
const someFiles = 8
const manyFiles = 1000

/** The total of reading a path, in innermost files and their bytes. */
export interface ReadPath {
  entries: number
  bytes: number
}

/**
 * Reads files in threads, and ends what goes over a limit: that is a gap, what was found before it is kept, and the rest
 * is read. The thread that calls this never reads what a file holds.
 */
export interface Supervisor extends AsyncDisposable {
  read(walked: Walked): Promise<ReadPath>
}

/** @param program what the threads run */
export function createSupervisor(
  collector: Collector,
  { onProgress, ...settings }: AuditSettings,
  paths: readonly Walked[],
  program?: string,
): Supervisor {
  const limits = boundedByMachine({ ...defaultLimits, ...settings.limits })
  const kind = kindOf(limits, program)
  const followed = onProgress === undefined ? null : followPaths(onProgress, paths)
  const begin = (thread: ReadingThread) =>
    thread.tell({ kind: 'begin', settings, isFollowed: followed !== null })
  let firstSeat: Seat | null = null
  let lastSeat: Seat | null = null
  const ordered = (thread: ReadingThread, order: Order): Promise<Outcome> => {
    const isFlood = countFindings(limits)
    return orderWatched(thread, order, limits, (answer, end) => {
      if (answer.kind === 'progress') followed?.tell(thread, answer.location, answer.read)
      else if (answer.kind !== 'cells') {
        collector.add(answer)
        if (isFlood(thread.pulse.look().file)) end('findings')
      }
    })
  }
  /** Lets one thread after the other read files from one end of the list, until none is left. */
  const readAll = async (seat: Seat, first: Task, sum: ReadPath, parts: Set<string>) => {
    let again: Again | null = null
    for (;;) {
      const task: Task = { ...first, again }
      const thread = seat.thread()
      const outcome = await ordered(thread, { kind: 'read', task })
      const { entries, bytes } = outcome.kind === 'done' ? outcome : thread.pulse.before()
      sum.entries += entries
      sum.bytes += bytes
      if (outcome.kind === 'done') {
        for (const part of outcome.parts) parts.add(part)
        return
      }
      seat.empty()
      const { file: index } = thread.pulse.look()
      const file = task.walked.files[index ?? -1]
      // Nothing was read: it is the thread that does not work.
      if (index === null || file === undefined)
        throw outcome.kind === 'failed'
          ? outcome.error
          : new Error(`an audit without a file is over its ${outcome.limit}`)
      again = giveUp(collector, task, { index, location: thread.pulse.location() }, outcome, limits)
      if (again === null) {
        sum.entries += 1
        sum.bytes += sizeOf(file)
      }
    }
  }
  return {
    async read(walked) {
      const files = costliestFirst(walked.files)
      const claims = createClaims(files.length)
      const task = { walked: { ...walked, files }, claims, again: null }
      const sum = { entries: 0, bytes: 0 }
      const parts = new Set<string>()
      firstSeat ??= await takeSeat(kind, begin)
      const seat = firstSeat
      const isWorth = () => {
        const [open, { inflated }] = [countOpen(claims), seat.thread().pulse.look()]
        return open >= manyFiles || (open >= someFiles && inflated >= worthBytes)
      }
      let last: Promise<void> | null = null
      const joinWhereWorth = () => {
        if (last !== null || !isWorth()) return
        lastSeat ??= takeFreeSeat(kind, begin)
        if (lastSeat !== null) last = readAll(lastSeat, { ...task, takes: 'last' }, sum, parts)
      }
      const first = readAll(seat, { ...task, takes: 'first' }, sum, parts)
      joinWhereWorth()
      const looks = setInterval(joinWhereWorth, lookMs)
      await first.finally(() => clearInterval(looks))
      await last
      const named = await ordered(seat.thread(), {
        kind: 'names',
        known: collector.findings(),
        parts: [...parts],
      })
      if (named.kind !== 'done') {
        seat.empty()
        report(collector, printable(walked.given), named, limits, 'names not searched')
      }
      followed?.end(sum)
      return sum
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([firstSeat, lastSeat].map((seat) => seat?.[Symbol.asyncDispose]()))
    },
  }
}

/** Counts what is found in one file, and says when that is too much. */
function countFindings({ fileFindings }: Limits): (file: number | null) => boolean {
  let [current, count]: [number | null, number] = [null, 0]
  return (file) => {
    count = file === current ? count + 1 : 1
    current = file
    return count > fileFindings
  }
}
