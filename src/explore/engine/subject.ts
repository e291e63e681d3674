import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../base/evidence/exchange.ts'
import type { ExploredRole } from '../../requirement/explored-roles.ts'
import type { Invariant, InvariantId } from '../invariants.ts'

/** One step of a story, as plain data: it can be written to a file and taken again. */
export interface Step {
  readonly does: string
}

export interface Breach {
  readonly invariant: InvariantId
  /** Completes "saw …". */
  readonly saw: string
  readonly evidence: readonly string[]
  /** Softer than the invariant's. */
  readonly level?: 'SHOULD' | undefined
  /** True for what nothing but the implementation can cause, such as a token for a wrong key: seen once is enough. */
  readonly isProof?: boolean | undefined
  /** Asks once more for what was not served: it counts only where it is not served for long. */
  readonly isServed?: () => Promise<boolean>
}

export interface StepOutcome {
  /** The action, as a sentence without its end. */
  readonly did: string
  /** The consequences, one clause each. */
  readonly came: readonly string[]
  readonly breaches: readonly Breach[]
}

export interface StepKind<S extends Step> {
  /** Says whether the step makes sense now: a call that is not held back cannot be answered. Where absent, it always does. */
  can?(step: S): boolean
  take(step: S): Promise<StepOutcome>
}

export type StepTable<S extends Step> = {
  readonly [Does in S['does']]: StepKind<Extract<S, { readonly does: Does }>>
}

/** A story that runs against an implementation, with its model and its doubles. */
export interface Telling<S extends Step> {
  /** Asks for what every story begins with: null where it is served. */
  control(): Promise<Breach | null>
  readonly steps: StepTable<S>
  /** Answers what is left open, and waits for what follows from it. */
  end(): Promise<StepOutcome>
}

export interface OwnSubject<S extends Step> {
  /** The beginning of every story, as a sentence. */
  readonly opening: string
  /** A service that pauses after failures serves again within this time. */
  readonly pauseSeconds: number
  /** Chooses the few kinds of steps that a round of stories is made of: a round that repeats itself gets deeper. */
  drawRound(dice: Dice, round: number): () => S
  tell<T>(story: (telling: Telling<S>) => Promise<T>): Promise<T>
  /** Why invariants could not be judged, or only in part, by their ids. Asked after the stories. */
  unjudged(): Readonly<Record<string, string | undefined>>
}

export interface Subject<S extends Step> extends OwnSubject<S> {
  readonly role: ExploredRole
  readonly invariants: readonly Invariant[]
  readonly clock: Clock
  /** A part that serves nothing ordinary for so long between two stories is damaged. */
  readonly neverSeconds: number
  drain(): readonly Exchange[]
}

/** Draws of which the same seed gives the same ones. */
export function createDice(random: () => number) {
  /** A whole number, both ends included. */
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  return {
    /** True in this share of all draws. */
    chance: (share: number) => random() < share,
    between,
    /** One that is named twice is twice as likely. */
    oneOf: <const T>(values: readonly T[]) => values[between(0, values.length - 1)] as T,
  }
}
export type Dice = ReturnType<typeof createDice>

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

export function pausing(clock: Clock) {
  return {
    async take({ milliseconds }: Pause): Promise<StepOutcome> {
      await clock.until(clock.monotonic() + milliseconds)
      return { did: `${milliseconds} ms pass`, came: [], breaches: [] }
    },
  }
}
