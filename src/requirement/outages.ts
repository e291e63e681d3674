import type { Clock } from '../base/clock.ts'
import type { Cause } from './cause.ts'
import type { ControlFault } from './controls.ts'

type Part = Cause['part']

/** Parts that have kept a check from a judgement, until an ordinary request is served again. */
export interface Outages {
  note(part: Part): void
  /** A check was judged by the part. */
  noteServing(part: Part): void
  /**
   * Waits until each of these parts serves again, for the patience since its outage was noted; after that it is asked once.
   * @param ask sends an ordinary request
   * @returns what the request met; null where each serves
   */
  findFault(
    parts: readonly Part[],
    ask: (part: Part) => Promise<ControlFault | null>,
  ): Promise<ControlFault | null>
}

/** Between two looks. */
const pauseMs = 1_000

export function createOutages(clock: Pick<Clock, 'monotonic' | 'until'>, patienceSeconds: number): Outages {
  const noted = new Map<Part, number>()
  const outlast = async (
    since: number,
    ask: () => Promise<ControlFault | null>,
  ): Promise<ControlFault | null> => {
    for (;;) {
      const fault = await ask()
      if (fault === null || clock.monotonic() >= since + patienceSeconds * 1000) return fault
      await clock.until(clock.monotonic() + pauseMs)
    }
  }
  return {
    noteServing: (part) => void noted.delete(part),
    note(part) {
      if (!noted.has(part)) noted.set(part, clock.monotonic())
    },
    async findFault(parts, ask) {
      for (const part of parts) {
        const since = noted.get(part)
        if (since === undefined) continue
        const fault = await outlast(since, () => ask(part))
        if (fault !== null) return fault
        noted.delete(part)
      }
      return null
    },
  }
}
