import { onOneLine } from '../base/printable.ts'
import type { Blame } from '../requirement/blame.ts'

/** One row of the table: what was replaced, and what came out. */
export interface BlameRow {
  /** `nothing` for everything as configured. */
  readonly reference: string
  /** The verdict; `none` where the reference could not take the place. */
  readonly verdict: string
  /** The finding, or the missing condition; empty where it passed. */
  readonly detail: string
}

export function blameRows({ tries }: Blame): BlameRow[] {
  return tries.map(({ replaced, verdict, detail }) => ({
    reference: replaced.join(' and ') || 'nothing',
    verdict: verdict ?? 'none',
    detail: onOneLine(detail ?? ''),
  }))
}
