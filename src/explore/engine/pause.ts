import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Dice } from './dice.ts'
import type { StepKind } from './subject.ts'

const longestPauseMs = 2_000

export const pauseSchema = z.strictObject({
  does: z.literal('pause'),
  milliseconds: z.int().min(1).max(longestPauseMs),
})
type Pause = z.infer<typeof pauseSchema>

/** Longer than an answer, a slot of a limit, and a second. */
export function drawPause({ oneOf }: Dice): Pause {
  return { does: 'pause', milliseconds: oneOf([100, 500, 1_100, longestPauseMs]) }
}

export function pausing(clock: Clock): StepKind<Pause> {
  return {
    async take({ milliseconds }) {
      await clock.until(clock.monotonic() + milliseconds)
      return { did: `${milliseconds} ms pass`, came: [], breaches: [] }
    },
  }
}
