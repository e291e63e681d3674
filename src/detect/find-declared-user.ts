import { addBesideToken } from '../roles/signaling/beside-token.ts'
import { isAccepted } from './classify-outcomes.ts'
import { type Draft, hasToken, hasUser, type Piece } from './draft.ts'
import { fieldUsers } from './known-names.ts'
import { shrink } from './minimise-draft.ts'
import { type Hit, probeDraft, type SearchContext } from './search.ts'

export interface FoundDeclaration {
  /** The pieces of the draft, in which the client states its userId where the service looks for one. */
  readonly pieces: readonly Piece[]
  /** The service's use of the stated userId, as a clause. */
  readonly how: 'needed' | 'compared' | 'believed' | 'not looked at'
}

/** Some pieces of a draft, each made of several things that can be left out. */
interface Way<Item> {
  readonly items: readonly Item[]
  build(items: readonly Item[]): readonly Piece[]
}

/** Finds where the service looks for a userId besides the token, by sending good tokens with the id of another user. */
export async function findDeclaredUser(
  minimal: Draft,
  hit: Hit,
  context: SearchContext,
): Promise<FoundDeclaration> {
  const { pieces } = minimal
  if (pieces.some(hasUser)) return { pieces, how: 'needed' }
  const stated = hit.draft.pieces.filter((piece) => hasUser(piece) && !hasToken(piece))
  const beside: Way<Piece> = { items: stated, build: (some) => [...pieces, ...some] }
  const found = await tryWay(beside, minimal, hit, context)
  if (found !== null) return found
  const inText: Way<string> = { items: fieldUsers, build: (names) => stateInText(pieces, names) }
  const isPossible = inText.build(fieldUsers).some(hasUser)
  const foundInText = isPossible ? await tryWay(inText, minimal, hit, context) : null
  return foundInText ?? { pieces, how: 'not looked at' }
}

/** States the userId beside the token in a message that is no plain JSON, such as one of Socket.IO. */
function stateInText(pieces: readonly Piece[], names: readonly string[]): readonly Piece[] {
  const members = Object.fromEntries(names.map((name) => [name, '{userId}']))
  return pieces.map((piece) =>
    piece.in === 'text'
      ? { ...piece, template: addBesideToken(piece.template, '{jwt}', members) ?? piece.template }
      : piece,
  )
}

async function tryWay<Item>(
  { items, build }: Way<Item>,
  minimal: Draft,
  { classification }: Hit,
  context: SearchContext,
): Promise<FoundDeclaration | null> {
  if (items.length === 0) return null
  const { tokenPool, silentClient } = context
  const otherUser = tokenPool.garbage().userId
  const send = async (some: readonly Item[], foreign: boolean) => {
    const { jwt, userId } = await tokenPool.fresh()
    const credential = { jwt, userId: foreign ? otherUser : userId }
    return await probeDraft({ ...minimal, pieces: build(some) }, credential, context, silentClient.windowMs)
  }
  if (!isAccepted(classification, await send(items, false))) return null
  const foreign = await send(items, true)
  if (!isAccepted(classification, foreign)) {
    const compared = async (some: readonly Item[]) => !isAccepted(classification, await send(some, true))
    return { pieces: build(await shrink(items, compared)), how: 'compared' }
  }
  const isNamed = (frames: readonly string[]) => frames.some((frame) => frame.includes(otherUser))
  if (!isNamed(foreign.frames)) return null
  const believed = async (some: readonly Item[]) => isNamed((await send(some, true)).frames)
  return { pieces: build(await shrink(items, believed)), how: 'believed' }
}
