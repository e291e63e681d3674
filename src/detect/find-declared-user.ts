import { isAccepted } from './classify-outcomes.ts'
import { type Draft, hasToken, hasUser, type Piece } from './draft.ts'
import { shrink } from './minimise-draft.ts'
import { type Hit, probeDraft, type SearchContext } from './search.ts'

export interface FoundDeclaration {
  /** Pieces to add to the draft: where the client states its userId. */
  readonly pieces: readonly Piece[]
  /** The service's use of the stated userId, as a clause. */
  readonly how: 'needed' | 'compared' | 'believed' | 'not looked at'
}

/** Finds where the service looks for a userId besides the token, by sending good tokens with the id of another user. */
export async function findDeclaredUser(
  minimal: Draft,
  { draft, classification }: Hit,
  context: SearchContext,
): Promise<FoundDeclaration> {
  if (minimal.pieces.some(hasUser)) return { pieces: [], how: 'needed' }
  const stated = draft.pieces.filter((piece) => hasUser(piece) && !hasToken(piece))
  if (stated.length === 0) return { pieces: [], how: 'not looked at' }
  const { tokenPool, silentClient } = context
  const otherUser = tokenPool.garbage().userId
  const send = async (pieces: readonly Piece[], foreign: boolean) => {
    const { jwt, userId } = await tokenPool.fresh()
    const credential = { jwt, userId: foreign ? otherUser : userId }
    const joined = { ...minimal, pieces: [...minimal.pieces, ...pieces] }
    return await probeDraft(joined, credential, context, silentClient.windowMs)
  }
  if (!isAccepted(classification, await send(stated, false))) return { pieces: [], how: 'not looked at' }
  const foreign = await send(stated, true)
  if (!isAccepted(classification, foreign)) {
    const compared = async (some: readonly Piece[]) => !isAccepted(classification, await send(some, true))
    return { pieces: await shrink(stated, compared), how: 'compared' }
  }
  const isNamed = (frames: readonly string[]) => frames.some((frame) => frame.includes(otherUser))
  if (!isNamed(foreign.frames)) return { pieces: [], how: 'not looked at' }
  const believed = async (some: readonly Piece[]) => isNamed((await send(some, true)).frames)
  return { pieces: await shrink(stated, believed), how: 'believed' }
}
