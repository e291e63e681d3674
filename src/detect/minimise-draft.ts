import { classifyOutcomes, isAccepted } from './classify-outcomes.ts'
import { type Draft, hasToken, hasUser, type Piece } from './draft.ts'
import { type Hit, probeDraft, type SearchContext } from './search.ts'

/** Leaves out of a draft what the service does not need in order to accept a client. */
export async function minimiseDraft(
  { draft, classification: found }: Hit,
  context: SearchContext,
): Promise<Draft> {
  const windowMs = context.silentClient.windowMs
  const works = async (pieces: readonly Piece[]): Promise<boolean> => {
    if (!pieces.some(hasToken)) return false
    const reduced = { ...draft, pieces }
    const valid = await probeDraft(reduced, await context.tokenPool.fresh(), context, windowMs)
    if (!isAccepted(found, valid)) return false
    if (found.success !== 'quiet') return true
    // A service is silent as well towards a client whose token it did not find.
    const garbage = await probeDraft(reduced, context.tokenPool.garbage(), context, windowMs)
    return classifyOutcomes([valid], [garbage]) !== null
  }
  const withoutUser = draft.pieces.filter((piece) => hasToken(piece) || !hasUser(piece))
  const start =
    withoutUser.length < draft.pieces.length && (await works(withoutUser)) ? withoutUser : draft.pieces
  return { ...draft, pieces: await shrink(start, works) }
}

/** Shrinks a list to one that still works and of which each item is needed; of equals the first remain. */
export async function shrink<Item>(
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
