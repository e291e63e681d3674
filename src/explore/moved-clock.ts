import * as z from 'zod'
import type { CommonContext } from '../requirement/needs.ts'
import type { Breach, StepOutcome } from './engine/subject.ts'
import { runStoryHook } from './story-hook.ts'

const furthestSeconds = 86_400

/** A step of motifs alone: an hour that passes while other stories are told would be theirs, too. */
export const moveClockSchema = z.strictObject({
  does: z.literal('move the clock'),
  /** Against the clock of the suite; 0 sets it right. */
  seconds: z.int().min(-furthestSeconds).max(furthestSeconds),
})

type MoveClockStep = z.infer<typeof moveClockSchema>

/** The clock of the explored part, which `hooks.moveClock` moves. */
export interface MovedClock {
  readonly isMoved: boolean
  /** True from its first move in a story on. */
  readonly hasMoved: boolean
  move(seconds: number): Promise<void>
  /** Sets it right; the story is over. */
  end(): Promise<void>
}

/** Undefined where the configuration has no hook for it. */
export function openMovedClock(
  parts: Pick<CommonContext, 'configuration' | 'redactor'>,
  environment: NodeJS.ProcessEnv,
): MovedClock | undefined {
  const hook = parts.configuration.hooks.moveClock
  if (hook === undefined) return undefined
  let [moved, hasMoved] = [0, false]
  const move = async (seconds: number) => {
    if (seconds === moved) return
    ;[moved, hasMoved] = [seconds, true]
    const told = { TWOTOKEN_SECONDS: String(seconds) }
    await runStoryHook(parts, environment, { name: 'moveClock', command: hook.command, told })
  }
  return {
    get isMoved() {
      return moved !== 0
    },
    get hasMoved() {
      return hasMoved
    },
    move,
    async end() {
      await move(0)
      hasMoved = false
    },
  }
}

export function moveClock(seconds: number): MoveClockStep {
  return { does: 'move the clock', seconds }
}

export async function takeMoveClock(
  clock: MovedClock | undefined,
  { seconds }: MoveClockStep,
): Promise<StepOutcome> {
  await clock?.move(seconds)
  const did =
    seconds === 0
      ? 'the clock of the part is set right'
      : `the clock of the part goes ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`
  return { did, came: [], breaches: [] }
}

/**
 * Leaves the breaches that no clock excuses. A part whose clock is wrong may refuse what is valid and serve what has ended; what
 * stays once the clock is right again is worth a warning.
 */
export function judgeMoved<B extends Breach>(
  breaches: readonly B[],
  clock: MovedClock | undefined,
  unexcused: readonly B['invariant'][],
): B[] {
  if (clock === undefined || !clock.hasMoved) return [...breaches]
  const isUnexcused = ({ invariant }: B) => unexcused.includes(invariant)
  if (clock.isMoved) return breaches.filter(isUnexcused)
  return breaches.map((one) => (isUnexcused(one) ? one : { ...one, level: 'SHOULD' }))
}
