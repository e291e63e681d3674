import * as z from 'zod'
import type { Observed } from '../requirement/judge.ts'
import { addHistogram, recordMs } from './histogram.ts'
import type { LoadId } from './requirements.ts'

export const timedSteps = ['route', 'mint', 'join'] as const
export type TimedStep = (typeof timedSteps)[number]

const count = z.number().int().nonnegative()
const counts = z.record(z.string(), count)
const breach = z.object({
  id: z.string(),
  level: z.enum(['MUST', 'TYPICAL']),
  case: z.string(),
  saw: z.string(),
  expected: z.string(),
  fix: z.string(),
  count,
})

/** All that one process has seen of a storm. It holds no credential, so that it may be printed to a log. */
export const tallySchema = z.object({
  users: count,
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  endedAt: z.number(),
  /** Processes and threads that made the load, the time that they were busy, and the most memory that one of them took. */
  generators: count,
  busyMs: z.number(),
  megabytes: z.number(),
  times: z.object({ route: counts, mint: counts, join: counts }),
  /** Joins that were accepted, attempts that were made for a requirement, and so on. */
  counts,
  /** By cause: "route 503". */
  errors: counts,
  breaches: z.array(breach),
})

export type Tally = z.infer<typeof tallySchema>
export type Breach = Tally['breaches'][number]

export function createTally(now: number): Tally {
  return {
    users: 0,
    startedAt: now,
    endedAt: now,
    generators: 1,
    busyMs: 0,
    megabytes: 0,
    times: { route: {}, mint: {}, join: {} },
    counts: {},
    errors: {},
    breaches: [],
  }
}

export function increase(of: Record<string, number>, name: string, by = 1): void {
  of[name] = (of[name] ?? 0) + by
}

export function noteTime(tally: Tally, step: TimedStep, milliseconds: number): void {
  recordMs(tally.times[step], milliseconds)
}

/** Notes a breach; a requirement's breaches of one case are counted. */
export function noteBreach(
  tally: Tally,
  id: LoadId,
  breached: Pick<Observed, 'saw' | 'expected' | 'fix'> & { readonly case: string },
  level: Breach['level'] = 'MUST',
): void {
  addBreach(tally, { id, level, ...breached, count: 1 })
}

function addBreach(tally: Tally, added: Breach): void {
  const known = tally.breaches.find((one) => one.id === added.id && one.case === added.case)
  if (known === undefined) tally.breaches.push({ ...added })
  else known.count += added.count
}

/** The tallies of several processes as one; counts and histograms add up exactly. */
export function mergeTallies([first, ...others]: readonly [Tally, ...Tally[]]): Tally {
  const merged = structuredClone(first)
  for (const tally of others) {
    merged.users += tally.users
    merged.startedAt = Math.min(merged.startedAt, tally.startedAt)
    merged.endedAt = Math.max(merged.endedAt, tally.endedAt)
    merged.generators += tally.generators
    merged.busyMs += tally.busyMs
    merged.megabytes = Math.max(merged.megabytes, tally.megabytes)
    for (const step of timedSteps) addHistogram(merged.times[step], tally.times[step])
    addHistogram(merged.counts, tally.counts)
    addHistogram(merged.errors, tally.errors)
    for (const one of tally.breaches) addBreach(merged, one)
  }
  return merged
}
