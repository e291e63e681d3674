import type { Collector } from '../model/collector.ts'
import { OverEffort } from '../model/effort.ts'

/**
 * Reads something of a file. Whatever the file makes a reader throw is a gap in that place, and the audit goes on.
 * @returns whether it was read
 * @throws what the system says about a file on disk, which belongs to that file
 */
export async function orGap(
  { collector }: { readonly collector: Collector },
  location: string,
  read: () => void | Promise<void>,
): Promise<boolean> {
  try {
    const reading = read()
    // Most files are read at once.
    if (reading !== undefined) await reading
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    reportFailure(collector, location, error)
    return false
  }
}

/** The gap that is left by a reader that a file has made throw. */
export function reportFailure(collector: Pick<Collector, 'gap'>, location: string, error: unknown): void {
  // No more than the name: a message may quote the file.
  if (error instanceof OverEffort)
    collector.gap('limit', location, 'reading it whole costs more than the limits allow')
  else collector.gap('fallback', location, failureOf(error))
}

/** The reason of a gap whose reader failed. */
export function failureOf(error: unknown): string {
  return `${failed} (${nameOf(error)})`
}

/** How the gap of a reader begins that should not have failed. */
export const failed = 'not read whole: its reader failed'

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'error'
}
