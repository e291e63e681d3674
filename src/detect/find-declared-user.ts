import { isSuccess } from './classify-outcomes.ts'
import type { Draft, Piece } from './draft.ts'
import { holdsToken, holdsUser } from './draft.ts'
import { shrunk } from './minimise-draft.ts'
import { type Hit, probeWith, type Searching } from './search.ts'

export interface Declaration {
  /** Pieces to add to the draft: where the client states its userId. */
  readonly pieces: readonly Piece[]
  /** What was seen of it, as a clause. */
  readonly how: 'needed' | 'compared' | 'believed' | 'not looked at'
}

/** Where the service looks for a userId beside the token: a good token is offered in somebody else's name. */
export async function declarationOf(
  minimal: Draft,
  { draft, separation }: Hit,
  searching: Searching,
): Promise<Declaration> {
  if (minimal.pieces.some(holdsUser)) return { pieces: [], how: 'needed' }
  const stated = draft.pieces.filter((piece) => holdsUser(piece) && !holdsToken(piece))
  if (stated.length === 0) return { pieces: [], how: 'not looked at' }
  const { supply, baseline } = searching
  const stranger = supply.garbage().userId
  const offered = async (pieces: readonly Piece[], foreign: boolean) => {
    const { jwt, userId } = await supply.fresh()
    const credential = { jwt, userId: foreign ? stranger : userId }
    const joined = { ...minimal, pieces: [...minimal.pieces, ...pieces] }
    return await probeWith(joined, credential, searching, baseline.windowMs)
  }
  if (!isSuccess(separation, await offered(stated, false))) return { pieces: [], how: 'not looked at' }
  const foreign = await offered(stated, true)
  if (!isSuccess(separation, foreign)) {
    const compared = async (some: readonly Piece[]) => !isSuccess(separation, await offered(some, true))
    return { pieces: await shrunk(stated, compared), how: 'compared' }
  }
  const isNamed = (frames: readonly string[]) => frames.some((frame) => frame.includes(stranger))
  if (!isNamed(foreign.frames)) return { pieces: [], how: 'not looked at' }
  const believed = async (some: readonly Piece[]) => isNamed((await offered(some, true)).frames)
  return { pieces: await shrunk(stated, believed), how: 'believed' }
}
