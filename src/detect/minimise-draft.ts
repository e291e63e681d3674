import { isSuccess, separation } from './classify-outcomes.ts'
import { type Draft, holdsToken, holdsUser, type Piece } from './draft.ts'
import { type Hit, probeWith, type Searching } from './search.ts'

/** Leaves out of a draft what the service does not need in order to let somebody in. */
export async function minimised({ draft, separation: found }: Hit, searching: Searching): Promise<Draft> {
  const windowMs = searching.baseline.windowMs
  const works = async (pieces: readonly Piece[]): Promise<boolean> => {
    if (!pieces.some(holdsToken)) return false
    const reduced = { ...draft, pieces }
    const valid = await probeWith(reduced, await searching.supply.fresh(), searching, windowMs)
    if (!isSuccess(found, valid)) return false
    if (found.success !== 'quiet') return true
    // Silence is also what a service has for a client whose token it did not find.
    const garbage = await probeWith(reduced, searching.supply.garbage(), searching, windowMs)
    return separation([valid], [garbage]) !== null
  }
  const withoutUser = draft.pieces.filter((piece) => holdsToken(piece) || !holdsUser(piece))
  const start =
    withoutUser.length < draft.pieces.length && (await works(withoutUser)) ? withoutUser : draft.pieces
  return { ...draft, pieces: await shrunk(start, works) }
}

/** The smallest list that still works and from which nothing can be left out alone; the first of equals stay. */
export async function shrunk<Item>(
  items: readonly Item[],
  works: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items
  for (let size = Math.floor(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const without = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      if (without.length > 0 && (await works(without))) kept = without
    }
  }
  return kept
}
