import type { Audit } from '../settings.ts'

const always = 64 * 1024 * 1024
const plausibleRatio = 100
const entryAlways = 16 * 1024 * 1024
const entryRatio = 300

/** What a file of a size may become when everything in it is unpacked, so that no bomb costs more than its size is worth. */
export function allow(audit: Audit, size: number): void {
  audit.spent.allowed = Math.min(
    audit.limits.totalBytes,
    audit.spent.inflated + size + always + plausibleRatio * size,
  )
}

/** Counts what was unpacked. `false` once a bound is passed: the caller then reports the gap and stops. */
export function spend(audit: Audit, bytes: number): boolean {
  audit.spent.inflated += bytes
  return !isSpent(audit)
}

export function isSpent({ spent, limits }: Audit): boolean {
  return spent.inflated > spent.allowed || spent.opened > limits.entries
}

/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
export function entryBound({ spent }: Audit, compressed: number): number {
  return Math.max(0, Math.min(Math.max(entryAlways, compressed * entryRatio), spent.allowed - spent.inflated))
}

/** How large an entry may be that is read into memory beside what is there already. */
export function roomFor({ limits }: Audit, held: number): number {
  return Math.max(0, Math.min(limits.wholeBytes, limits.heldBytes - held))
}
