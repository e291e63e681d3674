import type { Exchange } from '../../base/evidence/exchange.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import type { Breach, Step, StepKind, StepOutcome, Subject, Telling } from './subject.ts'

/** A step of a story with the ids of the exchanges that were recorded meanwhile. */
export interface ToldStep extends StepOutcome {
  readonly evidence: readonly string[]
}

export interface ToldStory<S extends Step> {
  readonly steps: readonly S[]
  /** Steps that could not be taken when their turn came. */
  readonly skipped: readonly S[]
  /** The outcome of each step; the end is one more, where it was reached. */
  readonly taken: readonly ToldStep[]
  readonly breach: Breach | null
  /** What was not served is served after a while. */
  readonly isHealed: boolean
  readonly exchanges: readonly Exchange[]
}

export interface TellOptions {
  /** Which breaches end the story; the others are passed over. */
  readonly ends: (breach: Breach) => boolean
  /** Waits for what was not served. */
  readonly waits?: boolean
}

export type Tell<S extends Step> = (steps: readonly S[], options: TellOptions) => Promise<ToldStory<S>>

/** The implementation no longer serves what is ordinary, however long it is asked: an earlier story has left damage behind. */
export class NotServed extends ControlLost {
  readonly breach: Breach

  constructor(breach: Breach) {
    super(`saw ${breach.saw}`, breach.evidence)
    this.breach = breach
  }
}

const betweenTriesMs = 1_000
/** A part that has served nothing yet may still be starting. */
const startingSeconds = 35

/** Tells stories from their beginnings; steps that make no sense when their turn comes are left out. */
export function createTeller<S extends Step>(subject: Subject<S>): Tell<S> {
  let hasServed = false
  return async (steps, options) => {
    const told = await subject.tell(async (telling) => {
      await serveOrdinary(subject, telling, hasServed)
      hasServed = true
      // The beginning of a story is no part of it.
      subject.drain()
      return await takeSteps(subject, telling, steps, options)
    })
    // The end records the exchanges that were open until then.
    return { ...told, exchanges: [...told.exchanges, ...subject.drain()] }
  }
}

/** @throws NotServed, or ControlLost where the part has never served */
async function serveOrdinary<S extends Step>(
  { clock, neverSeconds }: Subject<S>,
  telling: Telling<S>,
  hasServed: boolean,
): Promise<void> {
  const until = clock.monotonic() + (hasServed ? neverSeconds : startingSeconds) * 1_000
  for (;;) {
    const isLast = clock.monotonic() >= until
    const unserved = await telling.control().catch((error: unknown) => {
      if (isLast || !(error instanceof ControlLost)) throw error
    })
    if (unserved === null) return
    if (isLast && unserved !== undefined)
      throw hasServed ? new NotServed(unserved) : new ControlLost(`saw ${unserved.saw}`, unserved.evidence)
    await clock.until(clock.monotonic() + betweenTriesMs)
  }
}

async function takeSteps<S extends Step>(
  subject: Subject<S>,
  telling: Telling<S>,
  wanted: readonly S[],
  { ends, waits = false }: TellOptions,
): Promise<ToldStory<S>> {
  const steps: S[] = []
  const skipped: S[] = []
  const taken: ToldStep[] = []
  const exchanges: Exchange[] = []
  const note = (outcome: StepOutcome): Breach | null => {
    const recorded = subject.drain()
    exchanges.push(...recorded)
    taken.push({ ...outcome, evidence: recorded.map(({ id }) => id) })
    return outcome.breaches.find(ends) ?? null
  }
  let breach: Breach | null = null
  for (const step of wanted) {
    if (breach !== null) break
    const kind = telling.steps[step.does as S['does']] as unknown as StepKind<S>
    if (kind.can?.(step) === false) skipped.push(step)
    else {
      steps.push(step)
      breach = note(await kind.take(step))
    }
  }
  breach ??= note(await telling.end())
  const isHealed = waits && breach?.isServed !== undefined && (await heals(subject, breach.isServed))
  exchanges.push(...subject.drain())
  return { steps, skipped, taken, breach, isHealed, exchanges }
}

async function heals<S extends Step>(
  { clock, pauseSeconds }: Subject<S>,
  isServed: () => Promise<boolean>,
): Promise<boolean> {
  const until = clock.monotonic() + pauseSeconds * 1_000
  while (clock.monotonic() < until) {
    if (await isServed()) return true
    await clock.until(clock.monotonic() + betweenTriesMs)
  }
  return false
}
