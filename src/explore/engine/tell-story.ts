import type { Exchange } from '../../base/evidence/exchange.ts'
import type { Breach, ModelRun, Step, StepOutcome, Subject } from './subject.ts'

/** A step of a story with the ids of the exchanges that were recorded meanwhile. */
export interface ToldStep extends StepOutcome {
  readonly evidence: readonly string[]
}

/** A story as it was told once: to its end, or to the step that broke an invariant. */
export interface ToldStory<S extends Step> {
  readonly steps: readonly S[]
  /** Steps that could not be taken when their turn came. */
  readonly skipped: readonly S[]
  /** The outcome of each step; the end is one more, where it was reached. */
  readonly taken: readonly ToldStep[]
  readonly breach: Breach | null
  /** True where a longer look confirmed the breach; null where none was taken. */
  readonly isConfirmed: boolean | null
  /** How long that look took. */
  readonly lookMs: number
  readonly exchanges: readonly Exchange[]
}

export interface TellOptions {
  /** Which breaches end the story; the others are passed over. */
  readonly ends: (breach: Breach) => boolean
  /** Takes the longer look that some breaches need. */
  readonly confirms?: boolean
  /** How many of the steps are taken; all where absent. */
  readonly most?: number
  /** Stops behind the last step. */
  readonly leavesEndOut?: boolean
}

/**
 * Tells a story from its beginning; steps that make no sense when their turn comes are left out.
 * @throws ControlLost where the implementation does not serve what every story begins with
 */
export async function tellStory<S extends Step>(
  subject: Subject<S>,
  steps: readonly S[],
  { ends, confirms = false, most = steps.length, leavesEndOut = false }: TellOptions,
): Promise<ToldStory<S>> {
  const told = await subject.tell((modelRun) =>
    narrate(subject, modelRun, steps, { ends, confirms, most, leavesEndOut }),
  )
  // The end records the exchanges that were open until then.
  return { ...told, exchanges: [...told.exchanges, ...subject.drain()] }
}

async function narrate<S extends Step>(
  subject: Subject<S>,
  modelRun: ModelRun<S>,
  wanted: readonly S[],
  { ends, confirms, most, leavesEndOut }: Required<TellOptions>,
): Promise<ToldStory<S>> {
  const steps: S[] = []
  const skipped: S[] = []
  const taken: ToldStep[] = []
  // The beginning of a story is no part of it.
  subject.drain()
  const exchanges: Exchange[] = []
  let breach: Breach | null = null
  const note = (became: StepOutcome): Breach | null => {
    const recorded = subject.drain()
    exchanges.push(...recorded)
    taken.push({ ...became, evidence: [...(became.evidence ?? []), ...recorded.map(({ id }) => id)] })
    return became.breaches.find(ends) ?? null
  }
  for (const step of wanted) {
    if (breach !== null || steps.length >= most) break
    if (!modelRun.canTake(step)) {
      skipped.push(step)
      continue
    }
    steps.push(step)
    breach = note(await modelRun.take(step))
  }
  if (!leavesEndOut) breach ??= note(await modelRun.end())
  const begun = performance.now()
  const isConfirmed = confirms && breach?.confirm !== undefined ? await breach.confirm() : null
  const lookMs = performance.now() - begun
  exchanges.push(...subject.drain())
  return { steps, skipped, taken, breach, isConfirmed, lookMs, exchanges }
}
