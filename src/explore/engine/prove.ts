import type { Breach, Step } from './subject.ts'
import type { Tell, ToldStory } from './tell-story.ts'

export interface BrokenStory<S extends Step> extends ToldStory<S> {
  readonly breach: Breach
}

export interface Found<S extends Step> {
  readonly story: BrokenStory<S>
  /** Why the breach was seen only once; null where it came again. */
  readonly doubt: string | null
}

/** A story is made shorter for so long at most. */
const shorteningMs = 20_000

export function isBroken<S extends Step>(story: ToldStory<S>): story is BrokenStory<S> {
  return story.breach !== null && !story.isHealed
}

/** A service breaks an invariant now and then, or the network: what is seen once accuses neither, unless it is proof. */
export function accuses<S extends Step>({ story, doubt }: Found<S>): boolean {
  return doubt === null || story.breach.isProof === true
}

/** A softer breach of an invariant does not end the search for a hard one. */
export function kindOf({ invariant, level }: Breach): string {
  return level === undefined ? invariant : `${invariant} ${level}`
}

/** Tells a story that broke an invariant again, without the steps that it can do without. */
export async function prove<S extends Step>(
  tell: Tell<S>,
  story: BrokenStory<S>,
  mayShorten: () => boolean,
): Promise<Found<S>> {
  const ends = (breach: Breach) => kindOf(breach) === kindOf(story.breach)
  const again = await tell(story.steps, { ends })
  if (!isBroken(again)) return { story, doubt: 'the same steps broke nothing in a second run' }
  const short = await shorten(again, (steps) => tell(steps, { ends }), mayShorten)
  if (short.breach.isServed === undefined) return { story: short, doubt: null }
  for (const one of new Set([short, again])) {
    const awaited = await tell(one.steps, { ends, waits: true })
    if (isBroken(awaited)) return { story: awaited, doubt: null }
  }
  return { story, doubt: 'the request that failed was served in a second run' }
}

/** Leaves steps out, one at a time, as long as the story still breaks its invariant. */
async function shorten<S extends Step>(
  story: BrokenStory<S>,
  tellWith: (steps: readonly S[]) => Promise<ToldStory<S>>,
  mayShorten: () => boolean,
): Promise<BrokenStory<S>> {
  const until = performance.now() + shorteningMs
  let shortest = story
  for (let place = 0; place < shortest.steps.length && mayShorten() && performance.now() < until; ) {
    const told = await tellWith(shortest.steps.toSpliced(place, 1))
    if (isBroken(told)) shortest = told
    else place += 1
  }
  return shortest
}
