import { isInconclusive } from '../../base/inconclusive.ts'
import type { Found } from './found.ts'
import { leaveOut } from './leave-out.ts'
import { NotServed, type Step, type Subject } from './subject.ts'
import { type ToldStep, type ToldStory, tellStory } from './tell-story.ts'

export interface Damage<S extends Step> {
  /** The stories since the part was last brought back, oldest first. */
  readonly history: readonly (readonly S[])[]
  /** The last of them as they were told. */
  readonly told: readonly ToldStory<S>[]
  readonly notServed: NotServed
}

export interface TraceOptions {
  /** Monotonic milliseconds at which the search for a shorter history ends. */
  readonly until: number
  readonly signal?: AbortSignal | undefined
}

/** The finding, and whether ordinary use is served again. */
export interface Traced<S extends Step> {
  readonly found: Found<S>
  readonly isServed: boolean
}

/** Looks at ordinary use for so long: a pause of a part ends by then, or by the second of them. */
const looksMs = [3_000, 30_000] as const
const [shortLookMs] = looksMs
const withoutRestart = 'it cannot be told again without a restart, which start.command makes possible'

/**
 * Finds the shortest history after which ordinary use is no longer served: tells the last stories again to a part that was
 * brought back, more of them each time, and leaves out what the damage does not need.
 */
export async function traceDamage<S extends Step>(
  subject: Subject<S>,
  damage: Damage<S>,
  { until, signal }: TraceOptions,
): Promise<Traced<S>> {
  const seen = (why: string) => showOnce(subject, damage, `seen once: ${why}`)
  if (subject.recovery === undefined || signal?.aborted === true)
    return { found: seen(withoutRestart), isServed: false }
  const { by } = subject.recovery
  const failure = await recover(subject)
  if (failure !== null) {
    const also = by === 'a restart' ? '' : `; ${withoutRestart}`
    return { found: seen(`${failure}, also after ${by}${also}`), isServed: false }
  }
  const isOver = () => performance.now() >= until || signal?.aborted === true
  for (const lookMs of looksMs) {
    const short = await findShortest(subject, damage.history, { lookMs, isOver })
    const found = short && (await retellInFull(subject, short))
    if (found) return { found, isServed: true }
    if (short === null && !isOver()) break
  }
  return {
    found: seen(`after ${by}, the same stories left ordinary use as it was`),
    isServed: (await recover(subject)) === null,
  }
}

/** Tells a given history once more to a part that was brought back. */
export async function confirmDamage<S extends Step>(
  subject: Subject<S>,
  damage: Damage<S>,
): Promise<Found<S>> {
  if (subject.recovery === undefined) return showOnce(subject, damage, `seen once: ${withoutRestart}`)
  const found = await retellInFull(subject, damage.history)
  return found ?? showOnce(subject, damage, `seen once: ${subject.recovery.by} changed what came`)
}

/** The finding where the part serves before these stories, not behind them, and again once it is brought back. */
async function retellInFull<S extends Step>(
  subject: Subject<S>,
  stories: readonly (readonly S[])[],
): Promise<Found<S> | null> {
  const retold = await retell(subject, stories, undefined)
  // An outage does not end with a restart of the part.
  if (retold === null || (await recover(subject)) !== null) return null
  return showAgain(subject, retold)
}

/** Brings the part back; the reason where ordinary use is not served then. */
export async function recover<S extends Step>(subject: Subject<S>): Promise<string | null> {
  try {
    await subject.recovery?.run()
    return (await look(subject, shortLookMs))?.message ?? null
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    return error.message
  }
}

/** The damage that ordinary use shows now; null where it is served. */
export async function look<S extends Step>(
  subject: Subject<S>,
  patienceMs: number | undefined,
): Promise<NotServed | null> {
  try {
    await subject.tell(async () => {}, { patienceMs })
    return null
  } catch (error) {
    if (error instanceof NotServed) return error
    throw error
  }
}

interface Retold<S extends Step> {
  readonly told: readonly ToldStory<S>[]
  readonly notServed: NotServed
}

/** Tells stories to a part that was brought back, as far as it serves ordinary use; null where it does so behind them. */
async function retell<S extends Step>(
  subject: Subject<S>,
  stories: readonly (readonly S[])[],
  patienceMs: number | undefined,
): Promise<Retold<S> | null> {
  if ((await recover(subject)) !== null) return null
  const told: ToldStory<S>[] = []
  try {
    for (const steps of stories)
      told.push(await tellStory(subject, steps, { ends: () => false, patienceMs: shortLookMs }))
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    if (!(error instanceof NotServed)) return null
  }
  const notServed = await look(subject, patienceMs)
  return notServed === null || told.length === 0 ? null : { told, notServed }
}

interface ShortenOptions {
  readonly lookMs: number
  readonly isOver: () => boolean
}

/** Null where the stories break ordinary use no more. */
async function findShortest<S extends Step>(
  subject: Subject<S>,
  history: readonly (readonly S[])[],
  { lookMs, isOver }: ShortenOptions,
): Promise<readonly (readonly S[])[] | null> {
  let shortest: readonly (readonly S[])[] | null = null
  const breaks = async (stories: readonly (readonly S[])[]): Promise<boolean> => {
    if (isOver()) return false
    const retold = await retell(subject, stories, lookMs)
    if (retold !== null) shortest = retold.told.map(({ steps }) => steps)
    return retold !== null
  }
  for (let many = 1; shortest === null && !isOver(); many *= 2)
    if (!(await breaks(history.slice(-many))) && many >= history.length) break
  if (shortest === null) return null
  const kept = (): readonly (readonly S[])[] => shortest ?? []
  await leaveOut(kept, breaks)
  if (kept().length > 1) await breaks([kept().flat()])
  for (let place = 0; place < kept().length; place += 1)
    await leaveOut(
      () => kept()[place] ?? [],
      (fewer) => breaks(kept().with(place, fewer)),
    )
  return shortest
}

/** Damage that the same stories caused again: only a limit may refuse for so long. */
function showAgain<S extends Step>(subject: Subject<S>, { told, notServed }: Retold<S>): Found<S> {
  const level = notServed.isLimit ? ('SHOULD' as const) : undefined
  const { invariant } = notServed.breach
  return { invariant, story: showStory(subject, { told, notServed, level }), doubt: null }
}

/** Damage that was seen once: what was looked at besides decides how hard it is. */
function showOnce<S extends Step>(
  subject: Subject<S>,
  { told, notServed }: Damage<S>,
  seenOnce: string,
): Found<S> {
  const { invariant, level } = notServed.breach
  return { invariant, story: showStory(subject, { told, notServed, level }), doubt: null, seenOnce }
}

/** The steps of several stories as those of one. */
export function joinTaken<S extends Step>(subject: Subject<S>, told: readonly ToldStory<S>[]): ToldStep[] {
  const between = {
    did: `the next story begins: ${subject.opening.replace(/\.$/, '')}`,
    came: [],
    breaches: [],
    evidence: [],
  }
  return told.flatMap(({ taken }, place) => (place === 0 ? taken : [between, ...taken]))
}

interface Shown<S extends Step> extends Retold<S> {
  readonly level: NotServed['breach']['level']
}

/** The stories as one, with the ordinary use behind them that is no longer served. */
function showStory<S extends Step>(subject: Subject<S>, { told, notServed, level }: Shown<S>): ToldStory<S> {
  const last = told.at(-1)
  const breach = { ...notServed.breach, level }
  const after: ToldStep = {
    did: 'an ordinary request is made once the story is over',
    came: [notServed.message],
    breaches: [breach],
    evidence: breach.evidence ?? [],
  }
  return {
    steps: last?.steps ?? [],
    earlier: told.slice(0, -1).map(({ steps }) => steps),
    skipped: last?.skipped ?? [],
    taken: [...joinTaken(subject, told), after],
    breach,
    isConfirmed: null,
    lookMs: 0,
    exchanges: [...told.flatMap(({ exchanges }) => exchanges), ...subject.drain()],
  }
}
