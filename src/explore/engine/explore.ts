import fc from 'fast-check'
import { isInconclusive } from '../../base/inconclusive.ts'
import { createRandom } from '../../base/seeded-random.ts'
import type { Ground, Step } from './ground.ts'
import { retell, type ToldStory, tellStory } from './tell-story.ts'

/** A story that breaks an invariant, as short as it could be made. */
export interface Found<S extends Step> {
  readonly invariant: string
  readonly story: ToldStory<S>
  /** Why it accuses no implementation: it did not break the invariant when it was told again. Null where it did. */
  readonly doubt: string | null
}

export interface Exploration<S extends Step> {
  readonly stories: number
  readonly steps: number
  readonly found: readonly Found<S>[]
  /** Why it ended before its time; null where it did not. */
  readonly lost: string | null
}

export interface ExploreOptions<S extends Step> {
  /** The same seed makes the same stories up. */
  readonly seed: number
  readonly milliseconds: number
  /** Ends it after the story that is being told. */
  readonly signal?: AbortSignal
  readonly onStory?: (stories: number, steps: number) => void
  readonly onFound?: (found: Found<S>) => void
}

const longestStory = 20
/** Made up from one seed; the next follow from the next one. */
const storiesARound = 12
/** A story is made shorter for so long at most, also when the time of the exploration is over. */
const shorteningMs = 30_000
/** A story that does not recur leaves its invariant open; after so many, it is given up. */
const mostDoubts = 3

/**
 * Makes stories up and tells them to an implementation until the time is over. A story that breaks an invariant is made
 * shorter and told once more; then the search goes on for the other invariants.
 */
export async function explore<S extends Step>(
  ground: Ground<S>,
  { seed, milliseconds, signal, onStory = () => {}, onFound = () => {} }: ExploreOptions<S>,
): Promise<Exploration<S>> {
  const until = performance.now() + milliseconds
  const isOver = () => performance.now() >= until || signal?.aborted === true
  const random = createRandom(seed)
  /** Found, or healed by time, so that they say nothing more. */
  const settled = new Set<string>()
  const doubts = new Map<string, number>()
  const found: Found<S>[] = []
  let [stories, steps] = [0, 0]
  let lost: string | null = null

  while (!isOver() && lost === null && ground.invariants.some(({ id }) => !settled.has(id))) {
    const roundSeed = Math.floor(random() * 0x7fff_ffff)
    const hunt = await huntOnce(ground, roundSeed, {
      isOver,
      ends: (id) => !settled.has(id),
      onTold(told) {
        stories += 1
        steps += told.steps.length
        onStory(stories, steps)
      },
      onLost(reason) {
        lost = reason
      },
    })
    if (hunt === null) continue
    const verdict = await confirm(ground, await shorten(ground, hunt))
    if (verdict === 'healed') {
      settled.add(hunt.invariant)
      continue
    }
    const seen = (doubts.get(hunt.invariant) ?? 0) + 1
    if (verdict.doubt !== null) doubts.set(hunt.invariant, seen)
    if (verdict.doubt === null || seen >= mostDoubts) settled.add(hunt.invariant)
    const earlier = found.findIndex(({ invariant }) => invariant === verdict.invariant)
    found.splice(earlier < 0 ? found.length : earlier, earlier < 0 ? 0 : 1, verdict)
    onFound(verdict)
  }
  return { stories, steps, found, lost }
}

/** Tells one story, and once more where it breaks an invariant. */
export async function replay<S extends Step>(
  ground: Ground<S>,
  steps: readonly S[],
): Promise<Exploration<S>> {
  try {
    const story = await retell(ground, steps, { ends: () => true })
    const told = { stories: 1, steps: story.steps.length, lost: null }
    if (story.breach === null) return { ...told, found: [] }
    const verdict = await confirm(ground, { invariant: story.breach.invariant, story })
    return { ...told, found: verdict === 'healed' ? [] : [verdict] }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    return { stories: 0, steps: 0, found: [], lost: error.message }
  }
}

interface Hunt<S extends Step> {
  readonly invariant: string
  readonly story: ToldStory<S>
}

interface HuntOptions<S extends Step> {
  readonly isOver: () => boolean
  readonly ends: (invariant: string) => boolean
  readonly onTold: (told: ToldStory<S>) => void
  readonly onLost: (reason: string) => void
}

/** One round of stories; the first that breaks an invariant is made shorter. Null where none does. */
async function huntOnce<S extends Step>(
  ground: Ground<S>,
  seed: number,
  { isOver, ends, onTold, onLost }: HuntOptions<S>,
): Promise<Hunt<S> | null> {
  let smallest: Hunt<S> | null = null
  /** From when on no more stories are told; the search of fast-check then ends by itself. */
  let isEnough = isOver
  const property = fc.asyncProperty(
    fc.commands(
      ground.makeSteps(createRandom(seed)).map((steps) => steps.map(commandOf)),
      { maxCommands: longestStory, size: 'max' },
    ),
    async (commands) => {
      if (isEnough()) return
      const wanted = smallest === null ? ends : (id: string) => id === smallest?.invariant
      try {
        const story = await tellStory(
          ground,
          (narrator) => fc.asyncModelRun(() => ({ model: narrator, real: null }), commands),
          { ends: ({ invariant }) => wanted(invariant) },
        )
        onTold(story)
        if (story.breach !== null) smallest = { invariant: story.breach.invariant, story }
        return story.breach === null
      } catch (error) {
        if (!(error instanceof Error) || !isInconclusive(error)) throw error
        // While a story is made shorter, one that cannot be told is no shorter one.
        if (smallest === null) {
          onLost(error.message)
          isEnough = () => true
        }
        return
      }
    },
  )
  const settings = { seed, numRuns: storiesARound, unbiased: true }
  const { failed, counterexamplePath } = await fc.check(property, { ...settings, endOnFailure: true })
  if (!failed || counterexamplePath === null || smallest === null) return smallest
  const shortenUntil = performance.now() + shorteningMs
  isEnough = () => performance.now() >= shortenUntil
  await fc.check(property, { ...settings, path: counterexamplePath })
  return smallest
}

/** Leaves out one step after the other, as long as the story still breaks its invariant. */
async function shorten<S extends Step>(ground: Ground<S>, { invariant, story }: Hunt<S>): Promise<Hunt<S>> {
  let shortest = story
  const until = performance.now() + shorteningMs
  for (let place = story.steps.length - 1; place >= 0 && performance.now() < until; place -= 1) {
    const steps = shortest.steps.toSpliced(place, 1)
    if (steps.length === 0) break
    try {
      const told = await retell(ground, steps, { ends: (breach) => breach.invariant === invariant })
      if (told.breach !== null) shortest = told
    } catch (error) {
      // What cannot be told without this step needs it.
      if (!(error instanceof Error) || !isInconclusive(error)) throw error
    }
  }
  return { invariant, story: shortest }
}

/** Whether the story breaks its invariant once more, at once. */
async function confirm<S extends Step>(
  ground: Ground<S>,
  { invariant, story }: Hunt<S>,
): Promise<Found<S> | 'healed'> {
  try {
    const again = await retell(ground, story.steps, {
      ends: (breach) => breach.invariant === invariant,
      confirms: true,
    })
    if (again.isConfirmed === false) return 'healed'
    if (again.breach !== null) return { invariant, story: again, doubt: null }
    return { invariant, story, doubt: 'the same story broke nothing when it was told again' }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    return { invariant, story, doubt: `the story could not be told again: ${error.message}` }
  }
}

interface Narrating<S extends Step> {
  canTake(step: S): boolean
  take(step: S): Promise<void>
}

/** A step as a command of fast-check. */
function commandOf<S extends Step>(step: S): fc.AsyncCommand<Narrating<S>, null> {
  return {
    check: (narrator) => narrator.canTake(step),
    run: (narrator) => narrator.take(step),
    toString: () => JSON.stringify(step),
  }
}
