import type { Actor } from './client-driver.ts'
import type { World } from './client-world.ts'
import type { Probe } from './types.ts'

/** Small steps at first, so that short delays show exactly; longer ones the longer it takes, so that an hour costs no more than a minute. */
const shortestPumpMs = 50
const pumpGrowth = 0.05
/** What is on its way gets so long to arrive before the client's clock goes on. */
const arrivalMs = 50

/** Waits in seconds of the client's own clock, and runs it ahead where it can be driven; `null` where the probe stays so. */
export async function pumped<T>(
  world: World,
  actor: Actor,
  probe: Probe<T>,
  seconds: number,
): Promise<T | null> {
  const { bell } = world
  const begin = world.clientNow()
  const end = begin + seconds * 1000
  for (;;) {
    if (!actor.isClockDriven()) return await bell.wait(probe, Math.max(0, end - world.clientNow()))
    await actor.arrived()
    await bell.wait(() => !isBusy(world), arrivalMs)
    const found = await bell.wait(probe, 0)
    if (found !== null || world.clientNow() >= end) return found
    const elapsedMs = world.clientNow() - begin
    const stepMs = Math.max(shortestPumpMs, Math.round(elapsedMs * pumpGrowth))
    // First, so that whatever the step brings is of the same instant, however soon it comes.
    world.skip(stepMs)
    await actor.runClock(stepMs)
    await bell.wait(() => false, 5)
  }
}

/** Something is under way that the client waits for. */
function isBusy({ backend, signaling }: World): boolean {
  return (
    backend.calls().some(({ status, givenUpAt }) => status === null && givenUpAt === null) ||
    signaling.dials().some(({ outcome, closedAt }) => outcome === null && closedAt === null)
  )
}
