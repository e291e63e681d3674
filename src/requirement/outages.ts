import type { Clock } from '../base/clock.ts'
import { betweenOutageLooksMs } from '../base/times.ts'
import type { Cause } from './cause.ts'
import type { ControlFault } from './controls.ts'

type Part = Cause['part']

/** Parts that have kept a check from a judgement, until an ordinary request is served again. */
export function createOutages(clock: Pick<Clock, 'monotonic' | 'until'>, patienceSeconds: number) {
  const noted = new Map<Part, number>()
  const givenUp = new Map<Part, ControlFault>()
  const outlast = async (
    since: number,
    ask: () => Promise<ControlFault | null>,
  ): Promise<ControlFault | null> => {
    for (;;) {
      const fault = await ask()
      if (fault === null || clock.monotonic() >= since + patienceSeconds * 1000) return fault
      await clock.until(clock.monotonic() + betweenOutageLooksMs)
    }
  }
  const findFaultOf = async (part: Part, ask: () => Promise<ControlFault | null>) => {
    const since = noted.get(part)
    if (since === undefined) return null
    const fault = givenUp.get(part) ?? (await outlast(since, ask))
    if (fault === null) noted.delete(part)
    else givenUp.set(part, fault)
    return fault
  }
  return {
    /** The parts have been started again. */
    forget(): void {
      noted.clear()
      givenUp.clear()
    },
    /** A check was judged by the part. */
    noteServing(part: Part): void {
      noted.delete(part)
      givenUp.delete(part)
    },
    note(part: Part): void {
      if (!noted.has(part)) noted.set(part, clock.monotonic())
    },
    /**
     * Waits until each of these parts serves again, for the patience since its outage was noted. A part that serves nothing by then
     * is given up: it is asked no more, and each further check would cost its deadline.
     * @param ask sends an ordinary request
     * @returns what the request met; null where each serves
     */
    async findFault(
      parts: readonly Part[],
      ask: (part: Part) => Promise<ControlFault | null>,
    ): Promise<ControlFault | null> {
      for (const part of parts) {
        const fault = await findFaultOf(part, () => ask(part))
        if (fault !== null) return fault
      }
      return null
    },
    /** Says whether one of these parts has kept a check from a judgement, and has not been seen to serve since. */
    isNoted: (parts: readonly Part[]): boolean => parts.some((part) => noted.has(part)),
    /** The fault that the last ordinary request met at a part that was given up; null where none of these was. */
    faultOf: (parts: readonly Part[]): ControlFault | null =>
      parts.map((part) => givenUp.get(part)).find((fault) => fault !== undefined) ?? null,
  }
}
