import { ControlLost, isInconclusive } from '../../base/inconclusive.ts'
import { createRandom } from '../../base/seeded-random.ts'
import { type Breach, createDice, type Step, type Subject } from './subject.ts'
import { createTeller, NotServed, type Tell, type ToldStory } from './tell-story.ts'

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
  readonly seed: number
  readonly milliseconds: number
  /** Ends it after the story that is being told, and makes no story shorter. */
  readonly signal?: AbortSignal
  readonly onStory?: (stories: number, steps: number) => void
  readonly onFound?: (found: Found<S>) => void
}

const storiesInARound = 4
/** Those that make no sense when their turn comes are left out. */
const mostSteps = 30
/** An invariant is given up once so much time was spent on stories that came to nothing when they were looked at again. */
const mostDoubtMs = 15_000
/** So many stories in a row that a lost control cuts short end the search. */
const mostLost = 3

/** Runs random stories until the time is over. A story that breaks an invariant is run again, shortened, and recorded. */
export async function explore<S extends Step>(
  subject: Subject<S>,
  { seed, milliseconds, ...options }: ExploreOptions<S>,
): Promise<Exploration<S>> {
  const search = begin(subject, { ...options, shortens: true, until: performance.now() + milliseconds })
  await tellAll(search, drawStories(subject, seed))
  return concludeSearch(search)
}

export async function replay<S extends Step>(
  subject: Subject<S>,
  steps: readonly S[],
): Promise<Exploration<S>> {
  const search = begin(subject, { shortens: false, until: Number.POSITIVE_INFINITY })
  await tellAll(search, [steps])
  const skipped = search.last?.skipped ?? []
  // Replayed, a story has no next one, at whose beginning damage would show.
  await tellAll(search, [[]])
  return { ...concludeSearch(search), skipped }
}

function begin<S extends Step>(
  subject: Subject<S>,
  options: Pick<ExploreOptions<S>, 'signal' | 'onStory' | 'onFound'> & { shortens: boolean; until: number },
) {
  return {
    ...options,
    subject,
    tell: createTeller(subject),
    /** By the kind of their breach. */
    found: new Map<string, Found<S>>(),
    /** Kinds of breaches that say nothing more: found, or given up. */
    settled: new Set<string>(),
    doubtMs: new Map<string, number>(),
    stories: 0,
    steps: 0,
    last: null as ToldStory<S> | null,
    lostInARow: 0,
    lost: null as string | null,
    ended: undefined as string | undefined,
  }
}
type Search<S extends Step> = ReturnType<typeof begin<S>>

function concludeSearch<S extends Step>({ stories, steps, found, lost, ended }: Search<S>): Exploration<S> {
  return { stories, steps, found: [...found.values()], lost, ended }
}

function* drawStories<S extends Step>(subject: Subject<S>, seed: number): Generator<readonly S[], never> {
  const dice = createDice(createRandom(seed))
  for (let round = 0; ; round += 1) {
    const draw = subject.drawRound(dice, round)
    for (let story = 0; story < storiesInARound; story += 1)
      yield Array.from({ length: dice.between(1, mostSteps) }, draw)
  }
}

async function tellAll<S extends Step>(search: Search<S>, stories: Iterable<readonly S[]>): Promise<void> {
  for (const steps of stories) {
    if (isDone(search)) return
    await tryStory(search, steps)
  }
}

function isDone<S extends Step>({ until, signal, subject, settled, lost, ended }: Search<S>): boolean {
  return (
    performance.now() >= until ||
    signal?.aborted === true ||
    lost !== null ||
    ended !== undefined ||
    subject.invariants.every(({ id }) => settled.has(id))
  )
}

async function tryStory<S extends Step>(search: Search<S>, steps: readonly S[]): Promise<void> {
  const begun = performance.now()
  try {
    const ends = (breach: Breach) => !search.settled.has(kindOf(breach))
    const story = await search.tell(steps, { ends, waits: true })
    search.last = story
    search.lostInARow = 0
    if (steps.length > 0) search.stories += 1
    search.steps += story.steps.length
    search.onStory?.(search.stories, search.steps)
    if (isBroken(story)) await judge(search, story)
    else if (story.breach !== null) addDoubt(search, story.breach, begun)
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    meetLoss(search, error)
  }
}

async function judge<S extends Step>(search: Search<S>, story: BrokenStory<S>): Promise<void> {
  const begun = performance.now()
  try {
    const mayShorten = () => search.shortens && search.signal?.aborted !== true
    const found = await prove(search.tell, story, mayShorten)
    note(search, found)
    if (!accuses(found)) addDoubt(search, story.breach, begun)
    else search.until += performance.now() - begun
  } catch (error) {
    if (error instanceof ControlLost)
      note(search, { story, doubt: `the steps could not be repeated: ${error.message}` })
    throw error
  }
}

function note<S extends Step>(search: Search<S>, found: Found<S>): void {
  const { breach } = found.story
  const kind = kindOf(breach)
  const isSoft =
    breach.level !== undefined ||
    search.subject.invariants.some(({ id, level }) => id === breach.invariant && level !== 'MUST')
  // A doubt about what would only warn is not worth a word.
  if (search.settled.has(kind) || (isSoft && !accuses(found))) return
  search.found.set(kind, found)
  if (!accuses(found)) return
  search.settled.add(kind)
  search.onFound?.(found)
}

function addDoubt<S extends Step>({ doubtMs, settled }: Search<S>, breach: Breach, begun: number): void {
  const kind = kindOf(breach)
  const spent = (doubtMs.get(kind) ?? 0) + performance.now() - begun
  doubtMs.set(kind, spent)
  if (spent >= mostDoubtMs) settled.add(kind)
}

/** Without ordinary use, the next stories would say nothing; a part that restarts cuts a story short, and then serves again. */
function meetLoss<S extends Step>(search: Search<S>, error: Error): void {
  if (error instanceof NotServed) {
    note(search, showDamage(search, error))
    search.ended = error.message
    return
  }
  search.lostInARow += 1
  const isLoss = error instanceof ControlLost
  if (isLoss && search.stories > 0 && search.lostInARow < mostLost) return
  if (isLoss || search.stories === 0) search.lost = error.message
  else search.ended = error.message
}

/** The last story, with the ordinary use behind it that is no longer served. */
function showDamage<S extends Step>({ subject, last }: Search<S>, { breach, message }: NotServed): Found<S> {
  const after = {
    did: 'an ordinary request is made once the story is over',
    came: [message],
    breaches: [breach],
    evidence: breach.evidence,
  }
  return {
    story: {
      steps: last?.steps ?? [],
      skipped: last?.skipped ?? [],
      taken: [...(last?.taken ?? []), after],
      breach: { ...breach, isProof: true },
      isHealed: false,
      exchanges: [...(last?.exchanges ?? []), ...subject.drain()],
    },
    doubt: 'seen once: an earlier story may be the cause; start the part anew and replay the story',
  }
}

interface BrokenStory<S extends Step> extends ToldStory<S> {
  readonly breach: Breach
}

export interface Found<S extends Step> {
  readonly story: BrokenStory<S>
  /** Why the breach was seen only once; null where it came again. */
  readonly doubt: string | null
}

/** A story is made shorter for so long at most. */
const shorteningMs = 20_000

function isBroken<S extends Step>(story: ToldStory<S>): story is BrokenStory<S> {
  return story.breach !== null && !story.isHealed
}

/** A service breaks an invariant now and then, or the network: what is seen once accuses neither, unless it is proof. */
export function accuses<S extends Step>({ story, doubt }: Found<S>): boolean {
  return doubt === null || story.breach.isProof === true
}

/** A softer breach of an invariant does not end the search for a hard one. */
function kindOf({ invariant, level }: Breach): string {
  return level === undefined ? invariant : `${invariant} ${level}`
}

/** Tells a story that broke an invariant again, without the steps that it can do without. */
async function prove<S extends Step>(
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
