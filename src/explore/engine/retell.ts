import { isInconclusive } from '../../base/inconclusive.ts'
import type { Counterexample, Found } from './found.ts'
import { type Breach, NotServed, type Step, type Subject } from './subject.ts'
import { tellStory } from './tell-story.ts'

/** A story is made shorter for so long at most, once the time of the exploration is over. */
const shorteningMs = 20_000
/** Tells the story of a proof again so often: some faults need their turn, such as every third request. */
const mostRetellings = 5

/** The story without what it does not need, where it still breaks its invariant then. */
export async function makeShort<S extends Step>(subject: Subject<S>, long: Found<S>): Promise<Found<S>> {
  const short = await tellAgain(subject, await shorten(subject, long), { looksLonger: true })
  if (short.doubt === null) return short
  // The omission of steps may have let the implementation recover.
  const again = await tellAgain(subject, long, { looksLonger: true })
  return again.doubt !== null && isProven(long) ? { ...long, seenOnce: again.doubt } : again
}

/** A softer breach of an invariant does not end the search for a hard one. */
export function kindOf({ invariant, level }: Breach): string {
  return level === undefined ? invariant : `${invariant} ${level}`
}

function isOfKind(breach: Breach, { invariant, story }: Counterexample<Step>): boolean {
  return breach.invariant === invariant && breach.level === story.breach?.level
}

/**
 * Leaves steps out, and makes the others plain, as long as the story still breaks its invariant: many at once at first,
 * and those first that are the farthest from the breach.
 */
async function shorten<S extends Step>(
  subject: Subject<S>,
  { invariant, story }: Counterexample<S>,
): Promise<Counterexample<S>> {
  const until = performance.now() + shorteningMs
  const leavesEndOut = story.taken.length === story.steps.length
  const ends = (breach: Breach) => isOfKind(breach, { invariant, story })
  let shortest = story
  const breaks = async (steps: readonly S[]): Promise<boolean> => {
    if (performance.now() >= until) return false
    try {
      const told = await tellStory(subject, steps, { ends, leavesEndOut })
      if (told.breach === null) return false
      shortest = told
      return true
    } catch (error) {
      // A story that cannot be told without these steps needs them.
      if (!(error instanceof Error) || !isInconclusive(error)) throw error
      return false
    }
  }
  await leaveOut(() => shortest.steps, breaks)
  for (let place = shortest.steps.length - 1; place >= 0; place -= 1) {
    const step = shortest.steps[place]
    if (step === undefined) continue
    const plain = subject.makePlain(step)
    if (JSON.stringify(plain) !== JSON.stringify(step)) await breaks(shortest.steps.with(place, plain))
  }
  return { invariant, story: shortest }
}

/**
 * Tells the story again. A breach that only the implementation can cause may need its turn, and no second time; repetition
 * would make others out of what load or the network does now and then.
 */
export async function tellOnceMore<S extends Step>(
  subject: Subject<S>,
  counterexample: Counterexample<S>,
  options: { readonly looksLonger: boolean },
): Promise<Found<S>> {
  let again = await tellAgain(subject, counterexample, options)
  if (!isProven(counterexample)) return again
  for (let time = 1; again.doubt !== null && time < mostRetellings; time += 1)
    again = await tellAgain(subject, counterexample, options)
  return again.doubt === null ? again : { ...again, doubt: null, seenOnce: again.doubt }
}

function isProven({ story }: Pick<Found<Step>, 'story'>): boolean {
  return story.breach?.isProof === true
}

/** Tells the story again, and says whether it breaks its invariant once more. */
async function tellAgain<S extends Step>(
  subject: Subject<S>,
  { invariant, story }: Counterexample<S>,
  { looksLonger }: { readonly looksLonger: boolean },
): Promise<Found<S>> {
  try {
    const again = await tellStory(subject, story.steps, {
      ends: (breach) => isOfKind(breach, { invariant, story }),
      confirms: looksLonger,
    })
    if (again.isConfirmed === false)
      return { invariant, story, doubt: 'what the story broke was healed when it was told again' }
    if (again.breach !== null) return { invariant, story: again, doubt: null }
    return { invariant, story, doubt: 'the same story broke nothing when it was told again' }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    const why = `the story could not be told again: ${error.message}`
    if (!(error instanceof NotServed)) return { invariant, story, doubt: why }
    const level = isProven({ story }) ? story.breach?.level : (error.breach.level ?? story.breach?.level)
    const breach = story.breach && { ...story.breach, level }
    return { invariant, story: { ...story, breach }, doubt: null, seenOnce: why, notServed: error }
  }
}

/** Leaves parts of a list out, many at once at first, as long as `breaks` accepts what is left; keeps at least one. */
async function leaveOut<T>(
  list: () => readonly T[],
  breaks: (fewer: readonly T[]) => Promise<boolean>,
): Promise<void> {
  for (let many = list().length >> 1; many >= 1; many >>= 1)
    for (let place = 0; place < list().length && list().length > many; )
      if (!(await breaks(list().toSpliced(place, many)))) place += many
}
