import { failureOf } from '../engine/or-gap.ts'
import type { Collector } from '../model/collector.ts'
import { printable } from '../model/location.ts'
import type { Spared } from '../model/pulse.ts'
import type { Limits } from '../model/settings.ts'
import type { Again, Task } from './orders.ts'
import type { Overrun } from './overrun.ts'
import type { Outcome } from './reading-thread.ts'

/** How often a file is opened again after something in it was not read. */
const mostEnds = 8

const megabyte = 1024 * 1024

/** An order that was not done. */
export type Ended = Exclude<Outcome, { kind: 'done' }>

/**
 * Reports what a thread was reading when it ended, and says what of the file is to be read all the same: the bytes of that
 * place without its format, or the rest of the file without that place. `null` where the file is given up.
 */
export function giveUp(
  collector: Collector,
  { walked, again }: Task,
  { index, location }: { readonly index: number; readonly location: string },
  ended: Ended,
  limits: Limits,
): Again | null {
  const file = printable(walked.files[index]?.location ?? '')
  const place = location === '' ? file : location
  const spared = new Map<string, Spared>(again?.index === index ? again.spared : [])
  const before = spared.get(place)
  const isOfFile = ended.kind === 'over' && (ended.limit === 'total' || ended.limit === 'findings')
  const isLast = isOfFile || before === 'all' || location === '' || countEnds(spared) >= mostEnds
  const what = isLast ? 'not read to its end' : before === undefined ? 'read as raw bytes' : 'not read at all'
  report(collector, isOfFile ? file : place, ended, limits, what)
  if (isLast) return null
  spared.set(place, before === undefined ? 'parsing' : 'all')
  const known = collector.findings().filter((finding) => isInside(finding.location, file))
  return { index, spared, known }
}

function countEnds(spared: ReadonlyMap<string, Spared>): number {
  return [...spared.values()].reduce((sum, how) => sum + (how === 'all' ? 2 : 1), 0)
}

function isInside(location: string, file: string): boolean {
  return location === file || location.startsWith(`${file}!`)
}

/** Reports that something was not read, or not as it should be. */
export function report(
  { gap }: Collector,
  location: string,
  ended: Ended,
  limits: Limits,
  what: string,
): void {
  if (ended.kind === 'failed') gap('fallback', location, `${failureOf(ended.error)}; ${what}`)
  else gap('limit', location, `${reasonOf(ended.limit, limits)}: ${what}`)
}

/** The limit that reading something has passed, in words. */
export function reasonOf(limit: Overrun, { fileSeconds, fileMemory, fileFindings }: Limits): string {
  const reasons = {
    time: `reading it takes longer than ${fileSeconds} s`,
    total: `reading it takes longer than ${fileSeconds} s for each 10 MB`,
    memory: `reading it takes more than ${Math.round(fileMemory / megabyte)} MB of memory`,
    findings: `more than ${fileFindings} findings and gaps`,
  }
  return reasons[limit]
}
