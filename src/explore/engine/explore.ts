import { ControlLost, isInconclusive } from '../../base/inconclusive.ts'
import { createRandom } from '../../base/seeded-random.ts'
import { type Coverage, type CoverageCounter, countCoverage } from './coverage.ts'
import { confirmDamage, look, recover, traceDamage } from './damage.ts'
import { anyOf, between, listOf, record } from './draw.ts'
import type { Found } from './found.ts'
import { type History, recordHistory } from './history.ts'
import type { Motif } from './motif.ts'
import { mostBefore, proveApart } from './prove-apart.ts'
import { kindOf, makeShort, tellAgain, tellOnceMore } from './retell.ts'
import { NotServed, type Step, type Subject } from './subject.ts'
import { type ToldStory, tellStory } from './tell-story.ts'

export interface Exploration<S extends Step> {
  readonly stories: number
  readonly steps: number
  readonly found: readonly Found<S>[]
  /** Absent where given stories were told. */
  readonly coverage?: Coverage | undefined
  readonly coverageOverTime?: readonly CoveredBy[] | undefined
  /** Names of the motifs that were told, and of those for which no time was left. */
  readonly motifs?: { readonly told: readonly string[]; readonly untold: readonly string[] } | undefined
  /** Why it ended before its time, and says nothing; null where it did not. */
  readonly lost: string | null
  /** Why it ended before its time, with what was told until then. */
  readonly ended?: string | undefined
  /** Steps of a given story that could not be taken. */
  readonly skipped?: readonly S[]
}

/** So much was covered by then. */
export type CoveredBy = Pick<Coverage, 'pairs' | 'triples'> & { readonly seconds: number }

export interface ExploreOptions<S extends Step> {
  /** The same seed makes the same stories up. */
  readonly seed: number
  readonly milliseconds: number
  /** Ends it after the story that is being told, and makes no story shorter. */
  readonly signal?: AbortSignal
  /** The search ends once every command has followed every other. */
  readonly untilCovered?: boolean
  /** The search ends with a story against this invariant. */
  readonly stopsAt?: string
  readonly onStory?: (stories: number, steps: number) => void
  readonly onFound?: (found: Found<S>) => void
  /** The search is over, and so many stories are now made shorter. */
  readonly onShorten?: (stories: number) => void
}

/** So many steps are drawn for each that a story can have: those that make no sense when their turn comes are left out. */
const drawnForEach = 3
/** Stories that are told alone once what several of them broke together came no more. */
const toldAlone = 12
/** A story that does not recur leaves its invariant open; after so many, it is given up. */
const mostDoubts = 3
/** An invariant that time heals is given up once so much time was spent on looking longer. */
const mostHealingMs = 15_000
/** So many stories in a row that a lost control cuts short end the search. */
const mostLost = 3
/** Stories that are told at once to a slow part. */
const mostSideBySide = 8
/** Steps that take so long on average leave time for one story at a time. */
const quickStepMs = 40
/** Points that a plot over time has at most. */
const mostPoints = 60
/** The last stories that a report shows where damage was seen once. */
const mostShown = 3
/** A shorter history of damage is searched for so long. */
const tracingMs = 90_000
/** Once damage was found, a part that no longer serves is brought back without another long look. */
const patienceBehindDamageMs = 5_000

interface Search<S extends Step> extends ExploreOptions<S> {
  readonly subject: Subject<S>
  readonly history: History<S>
  readonly coverage: CoverageCounter
  readonly until: number
  readonly motifs: readonly Motif<S>[]
  readonly toldMotifs: Set<string>
  /** Found, or given up, so that they say nothing more. */
  readonly settled: Set<string>
  readonly doubts: Map<string, number>
  readonly healingMs: Map<string, number>
  readonly counterexamples: Map<string, Found<S>>
  /** The last stories as they were told. */
  last: ToldStory<S>[]
  readonly begun: number
  coverageOverTime: CoveredBy[]
  stories: number
  /** Those that came to their end. */
  whole: number
  steps: number
  /** How long the stories took, their beginnings included. */
  toldMs: number
  lostInARow: number
  isDamaged: boolean
  /** The first stories, so many, are told one after the other. */
  aloneUntil: number
  lost: string | null
  ended: string | undefined
}

/**
 * Makes stories up and tells them to an implementation until the time is over. A story that breaks an invariant is told
 * once more, and the search goes on for the other invariants; at the end, each such story is made shorter.
 */
export async function explore<S extends Step>(
  explored: Subject<S>,
  options: ExploreOptions<S>,
): Promise<Exploration<S>> {
  const { subject, history } = recordHistory(explored)
  const random = createRandom(options.seed)
  const motifs = subject.makeMotifs?.(random) ?? []
  const search: Search<S> = {
    ...options,
    subject,
    history,
    coverage: countCoverage(explored.commands),
    until: performance.now() + options.milliseconds,
    motifs,
    toldMotifs: new Set(),
    settled: new Set(),
    doubts: new Map(),
    healingMs: new Map(),
    counterexamples: new Map(),
    last: [],
    begun: performance.now(),
    coverageOverTime: [],
    stories: 0,
    whole: 0,
    steps: 0,
    toldMs: 0,
    lostInARow: 0,
    isDamaged: false,
    aloneUntil: motifs.filter(({ isAlone }) => isAlone).length,
    lost: null,
    ended: undefined,
  }
  try {
    await searchOn(search, random)
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
    coverage: search.coverage.read(),
    coverageOverTime: search.coverageOverTime,
    motifs: {
      told: names.filter((name) => toldMotifs.has(name)),
      untold: names.filter((name) => !toldMotifs.has(name)),
    },
    lost,
    ended,
  }
}

async function searchOn<S extends Step>(search: Search<S>, random: () => number): Promise<void> {
  const stories = drawStories(search, random)
  while (!isDone(search))
    for (const outcome of await tellSome(search, stories)) await takeOutcome(search, outcome)
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

type Outcome<S extends Step> = PromiseSettledResult<ToldStory<S>>

/**
 * Tells one story, or to a slow part several at once until one of them is to be looked at; returns those that are. What they
 * are retold for must meet the part alone.
 */
async function tellSome<S extends Step>(
  search: Search<S>,
  stories: Generator<MadeUp<S>, never>,
): Promise<readonly Outcome<S>[]> {
  const lanes = countSideBySide(search)
  const outcomes: Outcome<S>[] = []
  const tellInTurn = async () => {
    do {
      const [outcome] = await Promise.allSettled([tell(search, stories.next().value)])
      if (outcome.status === 'rejected' || outcome.value.breach !== null) outcomes.push(outcome)
    } while (lanes > 1 && outcomes.length === 0 && !isDone(search))
  }
  await Promise.all(Array.from({ length: lanes }, tellInTurn))
  const damaged = outcomes.find(isDamage)
  // Stories that were told at once met the same damage.
  return outcomes.filter((outcome) => outcome === damaged || !isDamage(outcome))
}

function isDamage(outcome: PromiseSettledResult<unknown>): boolean {
  return outcome.status === 'rejected' && outcome.reason instanceof NotServed
}

/** The slower the part answers, the more stories are told at once, where their users are different. */
function countSideBySide<S extends Step>(search: Search<S>): number {
  const { subject, steps, stories, toldMs, isDamaged, aloneUntil } = search
  if (!subject.hasOwnUsers || steps === 0 || isDamaged || stories < aloneUntil) return 1
  return Math.min(mostSideBySide, Math.max(1, Math.round(toldMs / steps / quickStepMs)))
}

function isDone<S extends Step>({ until, signal, ended, subject, ...search }: Search<S>): boolean {
  return (
    performance.now() >= until ||
    signal?.aborted === true ||
    ended !== undefined ||
    (search.untilCovered === true && search.coverage.isComplete()) ||
    subject.invariants.every(({ id }) => search.settled.has(id)) ||
    (search.settled.has(search.stopsAt ?? '') &&
      search.counterexamples.get(search.stopsAt ?? '')?.doubt === null)
  )
}

/** Looks at a story that broke an invariant, or could not be told to its end. */
async function takeOutcome<S extends Step>(search: Search<S>, outcome: Outcome<S>): Promise<void> {
  try {
    if (outcome.status === 'rejected') throw outcome.reason
    await judgeStory(search, outcome.value)
  } catch (error) {
    if (error instanceof NotServed) {
      if (search.ended === undefined) await meetDamage(search, error)
    } else if (!(error instanceof ControlLost) || search.stories === 0) throw error
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
  const begun = performance.now()
  const story = await tellStory(search.subject, drawn, {
    ends: (breach) => !search.settled.has(kindOf(breach)),
    confirms: true,
    most,
    patienceMs: search.isDamaged ? patienceBehindDamageMs : undefined,
  })
  search.last = [...search.last, story].slice(-mostShown)
  search.stories += 1
  search.steps += story.steps.length
  search.coverage.note(story.steps.map((step) => search.subject.commandOf(step)))
  noteCovered(search)
  search.toldMs += performance.now() - begun - story.lookMs
  search.lostInARow = 0
  if (motif !== undefined) search.toldMotifs.add(motif)
  if (story.breach === null) search.whole += 1
  search.onStory?.(search.stories, search.steps)
  return story
}

/** Where the points become too many, every second one goes. */
function noteCovered<S extends Step>(search: Search<S>): void {
  const { pairs, triples } = search.coverage.read()
  const seconds = Math.round((performance.now() - search.begun) / 100) / 10
  const points = search.coverageOverTime
  const kept = points.length < mostPoints ? points : points.filter((_, place) => place % 2 === 0)
  search.coverageOverTime = [...kept, { seconds, pairs, triples }]
}

/** Tells a story that broke an invariant once more. */
async function judgeStory<S extends Step>(search: Search<S>, story: ToldStory<S>): Promise<void> {
  const { subject, settled, onFound } = search
  if (story.breach === null) return
  const wasBeside = countSideBySide(search) > 1
  const { invariant } = story.breach
  const kind = kindOf(story.breach)
  // Stories that were told at once may have broken the same.
  if (settled.has(kind)) return
  // A look beside other stories meets what those do.
  const isHealed =
    story.isConfirmed === false &&
    (!wasBeside || (await tellAgain(subject, { invariant, story }, { looksLonger: true })).doubt !== null)
  if (isHealed) {
    const spent = (search.healingMs.get(kind) ?? 0) + story.lookMs
    search.healingMs.set(kind, spent)
    if (spent >= mostHealingMs) settled.add(kind)
    return
  }
  const before = search.history.stories.filter(isTaken).slice(-mostBefore - 1, -1)
  // Other stories may have caused what was looked at.
  let again = await tellOnceMore(subject, { invariant, story }, { looksLonger: wasBeside })
  if (again.notServed !== undefined) {
    await meetDamage(search, again.notServed)
    // The damage is the same breach with the stories that it needs.
    if (search.counterexamples.get(kind)?.doubt === null) return
    if (search.ended === undefined) again = await tellOnceMore(subject, { invariant, story })
  }
  const isSure = again.doubt === null && again.seenOnce === undefined
  const seen = (search.doubts.get(kind) ?? 0) + 1
  search.doubts.set(kind, seen)
  if (isSure || seen >= mostDoubts) settled.add(kind)
  // The breach may need the stories beside it, which a replay of one story lacks.
  else if (wasBeside) search.aloneUntil = search.stories + toldAlone
  const known = search.counterexamples.get(kind)
  // A proof that came once is kept until a story shows it again.
  if (isSure || known?.doubt !== null) search.counterexamples.set(kind, { ...again, before })
  if (again.doubt === null && known?.doubt !== null) onFound?.(again)
}

/** Finds the stories that the damage needs, and goes on where the part can be brought back. */
async function meetDamage<S extends Step>(search: Search<S>, notServed: NotServed): Promise<void> {
  const { subject, history, signal, counterexamples } = search
  if (!search.isDamaged) {
    const until = performance.now() + tracingMs
    const damage = { history: history.stories.filter(isTaken), told: search.last, notServed }
    if (subject.recovery !== undefined) search.onShorten?.(1)
    const { found, isServed } = await traceDamage(subject, damage, { until, signal })
    const kind = kindOf(found.story.breach ?? notServed.breach)
    search.settled.add(kind)
    if (counterexamples.get(kind)?.doubt !== null) counterexamples.set(kind, found)
    search.onFound?.(found)
    search.isDamaged = true
    if (!isServed) search.ended = notServed.message
  } else if ((await recover(subject)) !== null) search.ended = notServed.message
  history.clear()
}

function isTaken(steps: readonly Step[]): boolean {
  return steps.length > 0
}

async function makeAllShort<S extends Step>(search: Search<S>): Promise<Found<S>[]> {
  const { counterexamples, subject, signal, ended, onShorten } = search
  const long = [...counterexamples.values()]
  const canRetell = signal?.aborted !== true && ended === undefined
  const sure = canRetell ? long.filter(isOneStory) : []
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
    if (!isServed) found.push(one)
    else found.push(short.doubt === null ? await proveApart(subject, { long: one, short }, signal) : short)
  }
  return found
}

/** A story that breaks its invariant by itself; damage is as short as it can be. */
function isOneStory({ doubt, seenOnce, story }: Found<Step>): boolean {
  return doubt === null && seenOnce === undefined && story.earlier === undefined
}

/** Tells one story, and once more where it breaks an invariant. */
export async function replay<S extends Step>(
  subject: Subject<S>,
  steps: readonly S[],
  earlier: readonly (readonly S[])[] = [],
): Promise<Exploration<S>> {
  const told: ToldStory<S>[] = []
  try {
    for (const before of earlier) told.push(await tellStory(subject, before, { ends: () => false }))
    const story = await tellStory(subject, steps, { ends: () => true, confirms: true })
    told.push(story)
    if (story.isConfirmed === false) return concludeReplay(told, [])
    // Replayed, a story has no next one, at whose beginning damage would show.
    const notServed = story.breach === null ? await look(subject, undefined) : null
    if (notServed !== null) throw notServed
    if (story.breach === null) return concludeReplay(told, [])
    const { invariant } = story.breach
    // The replay of one story breaks nothing where the breach needs earlier stories.
    if (earlier.length > 0)
      return concludeReplay(told, [{ invariant, story: { ...story, earlier }, doubt: null }])
    const again = await tellOnceMore(subject, { invariant, story }, { looksLonger: true })
    if (again.notServed?.breach.invariant === invariant) throw again.notServed
    return concludeReplay(told, [again])
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    if (!(error instanceof NotServed) || told.length === 0)
      return { stories: 0, steps: 0, found: [], lost: error.message }
    const damage = { history: [...earlier, steps], told, notServed: error }
    return concludeReplay(told, [await confirmDamage(subject, damage)])
  }
}

function concludeReplay<S extends Step>(
  told: readonly ToldStory<S>[],
  found: readonly Found<S>[],
): Exploration<S> {
  return {
    stories: told.length,
    steps: told.reduce((sum, { steps }) => sum + steps.length, 0),
    found,
    lost: null,
    skipped: told.flatMap(({ skipped }) => skipped),
  }
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
