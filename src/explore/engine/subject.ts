import type { Exchange } from '../../base/evidence/exchange.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import type { Level } from '../../base/verdict.ts'
import type { Heading, Standard } from '../../requirement/define.ts'
import type { ExploredRole } from '../../requirement/explored-roles.ts'
import type { Observed } from '../../requirement/judge.ts'
import type { Draw } from './draw.ts'
import type { Motif } from './motif.ts'

/** One step of a story, as plain data: it can be written to a file and taken again. */
export interface Step {
  readonly does: string
}

/** A statement that must be true after every step of every story. */
export interface Invariant extends Heading {
  readonly role: ExploredRole
  /** Where users can read more than the specification says. */
  readonly standards?: readonly Standard[]
  /** The comparison after each step. */
  readonly how: string
  /** The requirements that try one story of it each. */
  readonly generalises: readonly string[]
}

/** An invariant that a step broke. */
export interface Breach extends Observed {
  /** Its id. */
  readonly invariant: string
  /** Softer than the invariant's. */
  readonly level?: Level | undefined
  /** True for what nothing but the implementation can cause, such as a token for a wrong key: seen once is enough. */
  readonly isProof?: true | undefined
  /**
   * Looks longer than a story can wait, where time may heal what was seen; false where it did. Called while the story is
   * being told.
   */
  readonly confirm?: () => Promise<boolean>
}

/** The implementation no longer serves what is ordinary, however long it is asked: an earlier story has left damage behind. */
export class NotServed extends ControlLost {
  readonly breach: Breach

  /** @param breach of level SHOULD where a limit, an outage or the network may be the cause */
  constructor(message: string, breach: Breach) {
    super(message, breach.evidence)
    this.breach = breach
  }
}

/** The outcome of a step. */
export interface StepOutcome {
  /** The action, as a sentence without its end. */
  readonly did: string
  /** The consequences, one clause each. */
  readonly came: readonly string[]
  readonly breaches: readonly Breach[]
  /** Ids of its exchanges, where those are recorded only once the story has been told. */
  readonly evidence?: readonly string[]
}

/** One story while it is told to an implementation: the model of what should be true, and the doubles around it. */
export interface ModelRun<S extends Step> {
  /** Says whether the step makes sense now: a call that is not held back cannot be answered. */
  canTake(step: S): boolean
  take(step: S): Promise<StepOutcome>
  /** Answers what is left open, and waits for what follows from it. */
  end(): Promise<StepOutcome>
}

/** Reasons by the id of an invariant. */
export type Unjudged = Readonly<Record<string, string | undefined>>

/** A part of the implementation with all that stories about it are made of. */
export interface Subject<S extends Step> {
  readonly role: ExploredRole
  readonly invariants: readonly Invariant[]
  /** How many stories make a round, and how many steps each of them has. */
  readonly stories: { readonly aRound: number; readonly shortest: number; readonly longest: number }
  /**
   * Makes up the steps of a round of stories. A round that draws on little repeats itself, and so gets
   * deeper.
   */
  makeSteps(round: number, random: () => number): readonly Draw<S>[]
  /** Makes stories that are told before all others; absent where chance alone makes them up. */
  makeMotifs?(random: () => number): readonly Motif<S>[]
  /** The same step with nothing in it that a story can do without. */
  makePlain(step: S): S
  /** The beginning of every story, as a sentence. */
  readonly opening: string
  /**
   * Brings the implementation to where every story begins, and lets one be told. Throws `NotServed` where it no longer
   * serves what is ordinary, and `ControlLost` where it never did.
   */
  tell<T>(story: (modelRun: ModelRun<S>) => Promise<T>): Promise<T>
  /** Invariants that passed only as far as they could be judged, each with the reason. Asked after the stories. */
  unjudged?(): Unjudged
  /** The exchanges that were recorded since the last call. */
  drain(): readonly Exchange[]
}
