import { arrivalMs, firstClockStepMs } from '../../base/times.ts'
import type { ClientContext } from './client-context.ts'
import type { ClientDriver } from './client-driver.ts'
import type { Probe } from './types.ts'

/** The steps get longer the longer it takes, so that an hour costs no more than a minute. */
const stepGrowth = 0.05

/** Waits in seconds of the client's own clock, and runs it ahead where it can be driven; `null` where the probe stays so. */
export async function advanceClock<T>(
  context: ClientContext,
  driver: ClientDriver,
  probe: Probe<T>,
  seconds: number,
): Promise<T | null> {
  const { changeSignal } = context
  const begin = context.clientNow()
  const end = begin + seconds * 1000
  for (;;) {
    if (!driver.isClockDriven())
      return await changeSignal.waitFor(probe, Math.max(0, end - context.clientNow()))
    await driver.waitForNetworkIdle()
    await changeSignal.waitFor(() => !isBusy(context), arrivalMs)
    const found = await changeSignal.waitFor(probe, 0)
    if (found !== null || context.clientNow() >= end) return found
    const elapsedMs = context.clientNow() - begin
    const stepMs = Math.max(firstClockStepMs, Math.round(elapsedMs * stepGrowth))
    // First, so that what the step causes has the same instant, however soon it comes.
    context.skipTime(stepMs)
    await driver.runClock(stepMs)
    await changeSignal.waitFor(() => false, 5)
  }
}

/** Something is under way that the client waits for. */
function isBusy({ backend, signaling }: ClientContext): boolean {
  return (
    backend.calls().some(({ status, givenUpAt }) => status === null && givenUpAt === null) ||
    signaling.attempts().some(({ outcome, closedAt }) => outcome === null && closedAt === null)
  )
}
