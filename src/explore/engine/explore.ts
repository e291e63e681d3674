import { ControlLost, isInconclusive } from '../../base/inconclusive.ts'
import { createRandom } from '../../base/seeded-random.ts'
import { anyOf, between, listOf, record } from './draw.ts'
import type { Found } from './found.ts'
import type { Motif } from './motif.ts'
import { kindOf, makeShort, tellOnceMore } from './retell.ts'
import { NotServed, type Step, type Subject } from './subject.ts'
import { type ToldStep, type ToldStory, tellStory } from './tell-story.ts'

export interface Exploration<S extends Step> {
  readonly stories: number
  readonly steps: number
  readonly found: readonly Found<S>[]
  /** Names of the motifs that were told, and of those for which no time was left. */
  readonly motifs?: { readonly told: readonly string[]; readonly untold: readonly string[] } | undefined
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
/** A story that does not recur leaves its invariant open; after so many, it is given up. */
const mostDoubts = 3
/** An invariant that time heals is given up once so much time was spent on looking longer. */
const mostHealingMs = 15_000
/** So many stories in a row that a lost control cuts short end the search. */
const mostLost = 3

interface Search<S extends Step> extends ExploreOptions<S> {
  readonly subject: Subject<S>
  readonly until: number
  readonly motifs: readonly Motif<S>[]
  readonly toldMotifs: Set<string>
  /** Found, or given up, so that they say nothing more. */
  readonly settled: Set<string>
  readonly doubts: Map<string, number>
  readonly healingMs: Map<string, number>
  readonly counterexamples: Map<string, Found<S>>
  /** The last story as it was told. */
  last: ToldStory<S> | null
  stories: number
  /** Those that came to their end. */
  whole: number
  steps: number
  lostInARow: number
  lost: string | null
  ended: string | undefined
}

/**
 * Makes stories up and tells them to an implementation until the time is over. A story that breaks an invariant is told
 * once more, and the search goes on for the other invariants; at the end, each such story is made shorter.
 */
export async function explore<S extends Step>(
  subject: Subject<S>,
  options: ExploreOptions<S>,
): Promise<Exploration<S>> {
  const random = createRandom(options.seed)
  const motifs = subject.makeMotifs?.(random) ?? []
  const search: Search<S> = {
    ...options,
    subject,
    until: performance.now() + options.milliseconds,
    motifs,
    toldMotifs: new Set(),
    settled: new Set(),
    doubts: new Map(),
    healingMs: new Map(),
    counterexamples: new Map(),
    last: null,
    stories: 0,
    whole: 0,
    steps: 0,
    lostInARow: 0,
    lost: null,
    ended: undefined,
  }
  try {
    const stories = drawStories(search, random)
    while (!isDone(search)) await tryStory(search, stories.next().value)
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    if (search.stories === 0 || error instanceof ControlLost) search.lost = error.message
    else search.ended = error.message
  }
  const found = await makeAllShort(search)
  const { stories, steps, lost, ended, toldMotifs } = search
  const names = motifs.map(({ name }) => name)
  return {
    stories,
    steps,
    found,
    motifs: {
      told: names.filter((name) => toldMotifs.has(name)),
      untold: names.filter((name) => !toldMotifs.has(name)),
    },
    lost,
    ended,
  }
}

/** The stories of the search, in their order. */
function* drawStories<S extends Step>(search: Search<S>, random: () => number): Generator<MadeUp<S>, never> {
  const { subject } = search
  for (const { name, steps } of search.motifs) yield { drawn: steps, most: steps.length, motif: name }
  for (let round = 0; ; ) {
    const before = search.whole
    yield* makeUp(subject, round, Math.floor(random() * 0x7fff_ffff))
    // Breaches may have cut every story short: the round then begins again, with other steps.
    if (search.whole > before) round += 1
  }
}

function isDone<S extends Step>({ until, signal, ended, subject, ...search }: Search<S>): boolean {
  return (
    performance.now() >= until ||
    signal?.aborted === true ||
    ended !== undefined ||
    subject.invariants.every(({ id }) => search.settled.has(id)) ||
    (search.settled.has(search.stopsAt ?? '') &&
      search.counterexamples.get(search.stopsAt ?? '')?.doubt === null)
  )
}

async function tryStory<S extends Step>(search: Search<S>, madeUp: MadeUp<S>): Promise<void> {
  try {
    await judgeStory(search, await tell(search, madeUp))
  } catch (error) {
    if (error instanceof NotServed) meetDamage(search, error)
    else if (!(error instanceof ControlLost) || search.stories === 0) throw error
    else {
      // A part that restarts cuts a story short; the next one begins once it serves.
      search.lostInARow += 1
      if (search.lostInARow >= mostLost) throw error
    }
  }
}

async function tell<S extends Step>(
  search: Search<S>,
  { drawn, most, motif }: MadeUp<S>,
): Promise<ToldStory<S>> {
  const story = await tellStory(search.subject, drawn, {
    ends: (breach) => !search.settled.has(kindOf(breach)),
    confirms: true,
    most,
  })
  search.last = story
  search.stories += 1
  search.steps += story.steps.length
  search.lostInARow = 0
  if (motif !== undefined) search.toldMotifs.add(motif)
  if (story.breach === null) search.whole += 1
  search.onStory?.(search.stories, search.steps)
  return story
}

/** Tells a story that broke an invariant once more. */
async function judgeStory<S extends Step>(search: Search<S>, story: ToldStory<S>): Promise<void> {
  const { subject, settled, onFound } = search
  if (story.breach === null) return
  const { invariant } = story.breach
  const kind = kindOf(story.breach)
  if (story.isConfirmed === false) {
    const spent = (search.healingMs.get(kind) ?? 0) + story.lookMs
    search.healingMs.set(kind, spent)
    if (spent >= mostHealingMs) settled.add(kind)
    return
  }
  const again = await tellOnceMore(subject, { invariant, story }, { looksLonger: false })
  if (again.notServed !== undefined) {
    meetDamage(search, again.notServed)
    // The damage is the same breach.
    if (search.counterexamples.get(kind)?.doubt === null) return
  }
  const isSure = again.doubt === null && again.seenOnce === undefined
  const seen = (search.doubts.get(kind) ?? 0) + 1
  search.doubts.set(kind, seen)
  if (isSure || seen >= mostDoubts) settled.add(kind)
  const known = search.counterexamples.get(kind)
  // A proof that came once is kept until a story shows it again.
  if (isSure || known?.doubt !== null) search.counterexamples.set(kind, again)
  if (again.doubt === null && known?.doubt !== null) onFound?.(again)
}

/** Ends the search: without ordinary use, the next stories would say nothing. */
function meetDamage<S extends Step>(search: Search<S>, notServed: NotServed): void {
  const { subject, counterexamples } = search
  const found = showDamage(subject, search.last, notServed)
  const kind = kindOf(notServed.breach)
  search.settled.add(kind)
  if (counterexamples.get(kind)?.doubt !== null) counterexamples.set(kind, found)
  search.onFound?.(found)
  search.ended = notServed.message
}

/** The last story, with the ordinary use behind it that is no longer served. */
function showDamage<S extends Step>(
  subject: Subject<S>,
  last: ToldStory<S> | null,
  { breach, message }: NotServed,
): Found<S> {
  const after: ToldStep = {
    did: 'an ordinary request is made once the story is over',
    came: [message],
    breaches: [breach],
    evidence: breach.evidence ?? [],
  }
  return {
    invariant: breach.invariant,
    story: {
      steps: last?.steps ?? [],
      skipped: last?.skipped ?? [],
      taken: [...(last?.taken ?? []), after],
      breach,
      isConfirmed: null,
      lookMs: 0,
      exchanges: [...(last?.exchanges ?? []), ...subject.drain()],
    },
    doubt: null,
    seenOnce: 'seen once: an earlier story may be the cause; start the part anew and replay the story',
  }
}

async function makeAllShort<S extends Step>(search: Search<S>): Promise<Found<S>[]> {
  const { counterexamples, subject, signal, ended, onShorten } = search
  const long = [...counterexamples.values()]
  const canRetell = signal?.aborted !== true && ended === undefined
  const sure = canRetell ? long.filter(({ doubt, seenOnce }) => doubt === null && seenOnce === undefined) : []
  if (sure.length > 0) onShorten?.(sure.length)
  const found: Found<S>[] = []
  let isServed = true
  for (const one of long) {
    if (!isServed || !sure.includes(one)) {
      found.push(one)
      continue
    }
    const short = await makeShort(subject, one)
    isServed = short.notServed === undefined
    found.push(isServed ? short : one)
  }
  return found
}

/** Tells one story, and once more where it breaks an invariant. */
export async function replay<S extends Step>(
  subject: Subject<S>,
  steps: readonly S[],
): Promise<Exploration<S>> {
  let story: ToldStory<S> | null = null
  try {
    story = await tellStory(subject, steps, { ends: () => true, confirms: true })
    if (story.isConfirmed === false) return concludeReplay(story, [])
    if (story.breach === null) {
      // Replayed, a story has no next one, at whose beginning damage would show.
      await subject.tell(async () => {})
      return concludeReplay(story, [])
    }
    const { invariant } = story.breach
    const again = await tellOnceMore(subject, { invariant, story }, { looksLonger: true })
    if (again.notServed?.breach.invariant === invariant) throw again.notServed
    return concludeReplay(story, [again])
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    if (!(error instanceof NotServed) || story === null)
      return { stories: 0, steps: 0, found: [], lost: error.message }
    return concludeReplay(story, [showDamage(subject, story, error)])
  }
}

function concludeReplay<S extends Step>(
  { steps, skipped }: ToldStory<S>,
  found: readonly Found<S>[],
): Exploration<S> {
  return { stories: 1, steps: steps.length, found, lost: null, skipped }
}

/** The steps of a story in the order in which they are tried, and how many of them it has at most. */
interface MadeUp<S extends Step> {
  readonly drawn: readonly S[]
  readonly most: number
  /** The name of the motif that it tells. */
  readonly motif?: string
}

/** The stories of a round. */
function makeUp<S extends Step>(
  { makeSteps, stories }: Subject<S>,
  round: number,
  seed: number,
): readonly MadeUp<S>[] {
  const random = createRandom(seed)
  const step = anyOf(makeSteps(round, random))
  const most = between(stories.shortest, stories.longest)
  const length = drawnForEach * stories.longest
  const story = record({ most, drawn: listOf(step, length, length) })
  return Array.from({ length: stories.aRound }, () => story(random))
}
