import type { Audit } from '../settings.ts'

/** Counts what a path costs. `false` once a bound is passed: the caller then reports the gap and stops. */
export function spend(audit: Audit, bytes: number): boolean {
  audit.spent.bytes += bytes
  audit.spent.entries += 1
  return audit.spent.entries <= audit.limits.entries && audit.spent.bytes <= audit.limits.totalBytes
}

/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
export function entryBound(audit: Audit, compressed: number): number {
  const left = audit.limits.totalBytes - audit.spent.bytes
  const plausible = Math.max(16 * 1024 * 1024, compressed * 300)
  return Math.max(0, Math.min(audit.limits.entryBytes, plausible, left))
}
