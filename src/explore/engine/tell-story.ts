import type { Exchange } from '../../base/evidence/exchange.ts'
import type { Breach, Ground, Step, Taken, Telling } from './ground.ts'

/** A step of a story with the ids of the exchanges that were recorded meanwhile. */
export interface ToldStep extends Taken {
  readonly evidence: readonly string[]
}

/** A story as it was told once: to its end, or to the step that broke an invariant. */
export interface ToldStory<S extends Step> {
  readonly steps: readonly S[]
  /** What became of each step; the end is one more, where it was reached. */
  readonly taken: readonly ToldStep[]
  readonly breach: Breach | null
  /** Whether a longer look confirmed the breach; null where none was taken. */
  readonly isConfirmed: boolean | null
  readonly exchanges: readonly Exchange[]
}

export interface TellOptions {
  /** Which breaches end the story; the others are passed over. */
  readonly ends: (breach: Breach) => boolean
  /** Takes the longer look that some breaches need. */
  readonly confirms?: boolean
}

/** Takes steps one after the other until one breaks an invariant. */
interface Narrator<S extends Step> {
  canTake(step: S): boolean
  /** Throws `StoryEnd` where an invariant is broken. */
  take(step: S): Promise<void>
}

/** Ends the run of commands; never leaves this file. */
class StoryEnd extends Error {
  override readonly name = 'StoryEnd'
}

/**
 * Tells a story from its beginning; `run` takes its steps.
 * @throws ControlLost where the implementation does not serve what every story begins with
 */
export async function tellStory<S extends Step>(
  ground: Ground<S>,
  run: (narrator: Narrator<S>) => Promise<void>,
  { ends, confirms = false }: TellOptions,
): Promise<ToldStory<S>> {
  const told = await ground.tell((telling) => narrate(ground, telling, run, { ends, confirms }))
  // What was open until the end is recorded by it.
  return { ...told, exchanges: [...told.exchanges, ...ground.drain()] }
}

/** Tells the steps of a story that was found; those that make no sense any more are left out. */
export function retell<S extends Step>(
  ground: Ground<S>,
  steps: readonly S[],
  options: TellOptions,
): Promise<ToldStory<S>> {
  return tellStory(
    ground,
    async (narrator) => {
      for (const step of steps) if (narrator.canTake(step)) await narrator.take(step)
    },
    options,
  )
}

async function narrate<S extends Step>(
  ground: Ground<S>,
  telling: Telling<S>,
  run: (narrator: Narrator<S>) => Promise<void>,
  { ends, confirms }: Required<TellOptions>,
): Promise<ToldStory<S>> {
  const steps: S[] = []
  const taken: ToldStep[] = []
  // What the story begins with is no part of it.
  ground.drain()
  const exchanges: Exchange[] = []
  let breach: Breach | null = null
  const note = (became: Taken) => {
    const recorded = ground.drain()
    exchanges.push(...recorded)
    taken.push({ ...became, evidence: [...(became.evidence ?? []), ...recorded.map(({ id }) => id)] })
    breach = became.breaches.find(ends) ?? null
    if (breach !== null) throw new StoryEnd()
  }
  try {
    await run({
      canTake: (step) => telling.canTake(step),
      async take(step) {
        steps.push(step)
        note(await telling.take(step))
      },
    })
    note(await telling.end())
  } catch (error) {
    if (!(error instanceof StoryEnd)) throw error
  }
  const found = breach as Breach | null
  const isConfirmed = confirms && found?.confirm !== undefined ? await found.confirm() : null
  exchanges.push(...ground.drain())
  return { steps, taken, breach: found, isConfirmed, exchanges }
}
