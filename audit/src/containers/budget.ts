import type { Collector } from '../model/collector.ts'
import type { Limits, Spent } from '../model/settings.ts'

/** The counters and limits that bound unpacking. */
export interface Budgeted {
  readonly collector: Collector
  readonly limits: Limits
  readonly spent: Spent
}

const always = 64 * 1024 * 1024
const plausibleRatio = 100
const entryAlways = 16 * 1024 * 1024
const entryRatio = 300

/** Raises the limit by what a file of this size may unpack to: no bomb costs more than its size is worth. */
export function allow(audit: Budgeted, size: number): void {
  audit.spent.allowed = Math.min(
    audit.limits.totalBytes,
    audit.spent.inflated + size + always + plausibleRatio * size,
  )
}

/** Counts what was unpacked. `false` once a bound is passed: the caller then reports the gap and stops. */
export function spend(audit: Budgeted, bytes: number): boolean {
  audit.spent.inflated += bytes
  return !isSpent(audit)
}

/** Counts an entry of a container that is opened. `false`, and a gap, where no more may be. */
export function isOpened(
  audit: Budgeted,
  { location }: { readonly location: string },
  size: number,
): boolean {
  audit.spent.opened += 1
  if (spend(audit, size)) return true
  audit.collector.gap('limit', location, 'more entries or bytes than the limits allow')
  return false
}

/** Counts a file that contains no other as read. */
export function countRead({ spent }: Budgeted, size: number): void {
  spent.entries += 1
  spent.bytes += size
}

export function isSpent({ spent, limits }: Budgeted): boolean {
  return spent.inflated > spent.allowed || spent.opened > limits.entries
}

/** Says whether an entry would take more than is left, if its header states its size correctly. */
export function wouldSpend({ spent }: Budgeted, compressed: number, size: number): boolean {
  return size <= plausibleSize(compressed) && size > spent.allowed - spent.inflated
}

/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
export function entryBound({ spent }: Budgeted, compressed: number): number {
  return Math.max(0, Math.min(plausibleSize(compressed), spent.allowed - spent.inflated))
}

/** Returns the largest size that compressed bytes can honestly become. */
function plausibleSize(compressed: number): number {
  return Math.max(entryAlways, compressed * entryRatio)
}

/** How large an entry may be that is read into memory beside what is there already. */
export function roomFor({ limits }: Budgeted, held: number): number {
  return Math.max(0, Math.min(limits.wholeBytes, limits.heldBytes - held))
}
