import { joinTaken, recover } from './damage.ts'
import type { Found } from './found.ts'
import { leaveOut } from './leave-out.ts'
import { tellAgain } from './retell.ts'
import type { Step, Subject } from './subject.ts'
import { type ToldStory, tellStory } from './tell-story.ts'

/** Stories before a breach that it may need. */
export const mostBefore = 16
const provingMs = 60_000
/** A part that was started a moment ago serves by then. */
const patienceMs = 3_000

/** A story that was found, and the same made shorter. */
export interface Shortened<S extends Step> {
  readonly long: Found<S>
  readonly short: Found<S>
}

type Stories<S extends Step> = readonly (readonly S[])[]

/**
 * Tells a story that was made shorter to a part that was started anew, since the stories that were told meanwhile may have
 * done what it needs. Returns the shortest history that breaks the invariant then: the short story, or what is needed of the
 * long one and of the last stories before it.
 */
export async function proveApart<S extends Step>(
  subject: Subject<S>,
  { long, short }: Shortened<S>,
  signal: AbortSignal | undefined,
): Promise<Found<S>> {
  if (subject.recovery?.by !== 'a restart' || signal?.aborted === true) return short
  const until = performance.now() + provingMs
  const { before = [] } = long
  let proven: Found<S> | null = null
  const breaks = async (found: Found<S>, earlier: Stories<S>): Promise<boolean> => {
    if (performance.now() >= until || signal?.aborted === true) return false
    const again = await tellApart(subject, found, earlier)
    if (again !== null) proven = again
    return again !== null
  }
  if (await breaks(short, [])) return proven ?? short
  await breaks(long, [])
  for (let many = 1; proven === null && many < 2 * before.length; many *= 2)
    await breaks(long, before.slice(-many))
  const needed = (): Stories<S> => proven?.story.earlier ?? []
  if (proven !== null) await leaveOut(needed, (fewer) => breaks(long, fewer))
  // A long story may have steps that a restarted part does not need.
  await leaveOut(
    () => proven?.story.steps ?? [],
    (steps) => breaks({ ...long, story: { ...long.story, steps } }, needed()),
  )
  return proven ?? { ...short, seenOnce: 'a restart changed what came: it needs what was told before it' }
}

/** Null where the part breaks nothing. */
async function tellApart<S extends Step>(
  subject: Subject<S>,
  found: Found<S>,
  earlier: Stories<S>,
): Promise<Found<S> | null> {
  if ((await recover(subject)) !== null) return null
  const told: ToldStory<S>[] = []
  for (const steps of earlier) told.push(await tellStory(subject, steps, { ends: () => false, patienceMs }))
  const again = await tellAgain(subject, found, { looksLonger: true })
  if (again.doubt !== null) return null
  if (told.length === 0) return again
  const { story } = again
  const exchanges = [...told.flatMap((one) => one.exchanges), ...story.exchanges]
  return { ...again, story: { ...story, earlier, taken: joinTaken(subject, [...told, story]), exchanges } }
}
