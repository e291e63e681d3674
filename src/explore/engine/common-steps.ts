import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import { always, type Draw, oneOf, record } from './draw.ts'
import type { StepOutcome } from './subject.ts'

const longestPauseMs = 2_000

export const pauseSchema = z.strictObject({
  does: z.literal('pause'),
  milliseconds: z.int().min(1).max(longestPauseMs),
})

type PauseStep = z.infer<typeof pauseSchema>

/** Draws pauses that are longer than an answer, a slot of a limit, and a second. */
export const pauses: Draw<PauseStep> = record({
  does: always('pause'),
  milliseconds: oneOf([100, 500, 1_100, longestPauseMs]),
})

export function pause(milliseconds: number): PauseStep {
  return { does: 'pause', milliseconds }
}

export async function takePause(clock: Clock, { milliseconds }: PauseStep): Promise<StepOutcome> {
  await clock.until(clock.monotonic() + milliseconds)
  return { did: `${milliseconds} ms pass`, came: [], breaches: [] }
}
