import type { Collector } from '../model/collector.ts'

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
  const name = error instanceof Error ? error.name : 'error'
  collector.gap('fallback', location, `${failed} (${name})`)
}

/** How the gap of a reader begins that should not have failed. */
export const failed = 'not read whole: its reader failed'
