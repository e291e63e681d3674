import fc from 'fast-check'
import { ControlLost, isInconclusive } from '../../base/inconclusive.ts'
import { createRandom } from '../../base/seeded-random.ts'
import { type Breach, NotServed, type Step, type Subject } from './subject.ts'
import { type ToldStory, tellStory } from './tell-story.ts'

/** A story that breaks an invariant, as short as it could be made. */
export interface Found<S extends Step> {
  readonly invariant: string
  readonly story: ToldStory<S>
  /** Why it accuses no implementation: it did not break the invariant when it was told again. Null where it did. */
  readonly doubt: string | null
  /** Why it could not be told again, where it accuses an implementation all the same. */
  readonly seenOnce?: string
}

export interface Exploration<S extends Step> {
  readonly stories: number
  readonly steps: number
  readonly found: readonly Found<S>[]
  /** Why it ended before its time, and says nothing; null where it did not. */
  readonly lost: string | null
  /** Why it ended before its time, with what was told until then. */
  readonly ended?: string | undefined
  /** Steps of a given story that could not be taken. */
  readonly skipped?: readonly S[]
}

export interface ExploreOptions<S extends Step> {
  /** The same seed makes the same stories up. */
  readonly seed: number
  readonly milliseconds: number
  /** Ends it after the story that is being told, and makes no story shorter. */
  readonly signal?: AbortSignal
  /** The search ends with a story against this invariant. */
  readonly stopsAt?: string
  readonly onStory?: (stories: number, steps: number) => void
  readonly onFound?: (found: Found<S>) => void
  /** The search is over, and so many stories are now made shorter. */
  readonly onShorten?: (stories: number) => void
}

/** So many steps are drawn for each that a story can have: those that make no sense when their turn comes are left out. */
const drawnForEach = 3
/** A story is made shorter for so long at most, once the time of the exploration is over. */
const shorteningMs = 20_000
/** A story that does not recur leaves its invariant open; after so many, it is given up. */
const mostDoubts = 3
/** Tells the story of a proof again so often: some faults need their turn, such as every third request. */
const mostRetellings = 5
/** An invariant that time heals is given up once so much time was spent on looking longer. */
const mostHealingMs = 15_000

/**
 * Makes stories up and tells them to an implementation until the time is over. A story that breaks an invariant is told
 * once more, and the search goes on for the other invariants; at the end, each such story is made shorter.
 */
export async function explore<S extends Step>(
  subject: Subject<S>,
  {
    seed,
    milliseconds,
    signal,
    stopsAt,
    onStory = () => {},
    onFound = () => {},
    onShorten = () => {},
  }: ExploreOptions<S>,
): Promise<Exploration<S>> {
  const until = performance.now() + milliseconds
  const isOver = () => performance.now() >= until || signal?.aborted === true
  const random = createRandom(seed)
  /** Found, or given up, so that they say nothing more. */
  const settled = new Set<string>()
  const doubts = new Map<string, number>()
  const healingMs = new Map<string, number>()
  const counterexamples = new Map<string, Found<S>>()
  let [stories, steps] = [0, 0]
  let lost: string | null = null
  let ended: string | undefined
  let last: ToldStory<S> | null = null

  /** Tells a story that was made up, and once more what breaks an invariant. */
  const tellOnce = async ({ drawn, most }: MadeUp<S>): Promise<'to its end' | 'to a breach'> => {
    const story = await tellStory(subject, drawn, {
      ends: (breach) => !settled.has(kindOf(breach)),
      confirms: true,
      most,
    })
    last = story
    stories += 1
    steps += story.steps.length
    onStory(stories, steps)
    if (story.breach === null) return 'to its end'
    const { invariant } = story.breach
    const kind = kindOf(story.breach)
    if (story.isConfirmed === false) {
      const spent = (healingMs.get(kind) ?? 0) + story.lookMs
      healingMs.set(kind, spent)
      if (spent >= mostHealingMs) settled.add(kind)
      return 'to a breach'
    }
    const counterexample = { invariant, story }
    const again = await tellOnceMore(subject, counterexample)
    const seen = (doubts.get(kind) ?? 0) + 1
    if (again.doubt !== null) doubts.set(kind, seen)
    if (again.doubt === null || seen >= mostDoubts) settled.add(kind)
    counterexamples.set(kind, again)
    if (again.doubt === null) onFound(again)
    return 'to a breach'
  }

  const isDone = () =>
    isOver() ||
    subject.invariants.every(({ id }) => settled.has(id)) ||
    counterexamples.get(stopsAt ?? '')?.doubt === null
  try {
    for (let round = 0; !isDone(); ) {
      let wasTold = false
      for (const one of makeUp(subject, round, Math.floor(random() * 0x7fff_ffff))) {
        if (isDone()) break
        if ((await tellOnce(one)) === 'to its end') wasTold = true
      }
      // A round that breaches cut short is told once more, with other steps.
      if (wasTold) round += 1
    }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    if (stories === 0 || error instanceof ControlLost) lost = error.message
    else ended = error.message
    if (last !== null && error instanceof NotServed) {
      ;({ lost, ended } = { lost: null, ended: error.message })
      const damage = leaveDamage(subject, last, error)
      const kind = kindOf(error.breach)
      if (counterexamples.get(kind)?.doubt !== null) counterexamples.set(kind, damage)
    }
  }
  const long = [...counterexamples.values()]
  const canRetell = signal?.aborted !== true && ended === undefined
  const sure = canRetell ? long.filter(({ doubt, seenOnce }) => doubt === null && seenOnce === undefined) : []
  if (sure.length > 0) onShorten(sure.length)
  const found: Found<S>[] = []
  let isServed = true
  for (const one of long) {
    const short: Found<S> = isServed && sure.includes(one) ? await makeShort(subject, one) : one
    if (short !== one) isServed = short.seenOnce === undefined
    found.push(isServed ? short : one)
  }
  return { stories, steps, found, lost, ended }
}

/** The story without what it does not need, where it still breaks its invariant then. */
async function makeShort<S extends Step>(subject: Subject<S>, long: Found<S>): Promise<Found<S>> {
  const short = await tellAgain(subject, await shorten(subject, long), { looksLonger: true })
  if (short.doubt === null) return short
  // The omission of steps may have let the implementation recover.
  const again = await tellAgain(subject, long, { looksLonger: true })
  return again.doubt !== null && isProven(long) ? long : again
}

/** Tells one story, and once more where it breaks an invariant. */
export async function replay<S extends Step>(
  subject: Subject<S>,
  steps: readonly S[],
): Promise<Exploration<S>> {
  try {
    const story = await tellStory(subject, steps, { ends: () => true, confirms: true })
    const told = { stories: 1, steps: story.steps.length, lost: null, skipped: story.skipped }
    if (story.breach === null) return { ...told, found: await findDamage(subject, story) }
    if (story.isConfirmed === false) return { ...told, found: [] }
    return {
      ...told,
      found: [await tellAgain(subject, { invariant: story.breach.invariant, story }, { looksLonger: true })],
    }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    return { stories: 0, steps: 0, found: [], lost: error.message }
  }
}

/** The steps of a story in the order in which they are tried, and how many of them it has at most. */
interface MadeUp<S extends Step> {
  readonly drawn: readonly S[]
  readonly most: number
}

/** The stories of a round. */
function makeUp<S extends Step>(
  { makeSteps, stories }: Subject<S>,
  round: number,
  seed: number,
): readonly MadeUp<S>[] {
  const length = drawnForEach * stories.longest
  const story = fc.record({
    most: fc.integer({ min: stories.shortest, max: stories.longest }),
    drawn: fc.array(fc.oneof(...makeSteps(round, createRandom(seed))), {
      minLength: length,
      maxLength: length,
    }),
  })
  return fc.sample(fc.noBias(story), { seed, numRuns: stories.aRound })
}

interface Counterexample<S extends Step> {
  readonly invariant: string
  readonly story: ToldStory<S>
}

/** A softer breach of an invariant does not end the search for a hard one. */
function kindOf({ invariant, level }: Breach): string {
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
  for (let many = story.steps.length >> 1; many >= 1; many >>= 1)
    for (let place = 0; place < shortest.steps.length && shortest.steps.length > many; )
      if (!(await breaks(shortest.steps.toSpliced(place, many)))) place += many
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
async function tellOnceMore<S extends Step>(
  subject: Subject<S>,
  counterexample: Counterexample<S>,
): Promise<Found<S>> {
  let again = await tellAgain(subject, counterexample, { looksLonger: false })
  if (!isProven(counterexample)) return again
  for (let time = 1; again.doubt !== null && time < mostRetellings; time += 1)
    again = await tellAgain(subject, counterexample, { looksLonger: false })
  return again.doubt === null ? again : { ...again, doubt: null, seenOnce: again.doubt }
}

function isProven({ story }: Pick<Found<Step>, 'story'>): boolean {
  return story.breach?.isProof === true
}

/** The damage that shows at the beginning of the next story; replayed, a story has no next one. */
async function findDamage<S extends Step>(subject: Subject<S>, story: ToldStory<S>): Promise<Found<S>[]> {
  try {
    await subject.tell(async () => {})
    return []
  } catch (error) {
    if (error instanceof NotServed) return [leaveDamage(subject, story, error)]
    throw error
  }
}

/** The last story, with ordinary use behind it that is no longer served. */
function leaveDamage<S extends Step>(
  subject: Subject<S>,
  story: ToldStory<S>,
  { breach, message }: NotServed,
): Found<S> {
  const after = {
    did: 'an ordinary request is made once the story is over',
    came: [message],
    breaches: [breach],
    evidence: breach.evidence ?? [],
  }
  return {
    invariant: breach.invariant,
    story: {
      ...story,
      taken: [...story.taken, after],
      breach,
      exchanges: [...story.exchanges, ...subject.drain()],
    },
    doubt: null,
    seenOnce: 'seen once: it cannot be told again without a restart',
  }
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
    return { invariant, story: { ...story, breach }, doubt: null, seenOnce: why }
  }
}
