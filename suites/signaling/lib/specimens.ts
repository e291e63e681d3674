import { type Forgery, madeUp, type Original, takenApart } from '../../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../../src/base/tokens/forge-tampered.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'

/** A fresh calling token and the JWS from which forgeries are made: a made-up one where the token cannot be parsed. */
interface Specimen {
  readonly jwt: string
  readonly original: Original
  readonly readable: boolean
}

type Parts = Pick<CheckContext<'callingTokens' | 'signaling'>, 'callingTokens' | 'signaling'>

export async function fetchUnseen({ callingTokens }: Pick<Parts, 'callingTokens'>): Promise<Specimen> {
  const { jwt, userId } = await callingTokens.fresh()
  const original = takenApart(jwt, userId)
  const now = Math.floor(Date.now() / 1000)
  return { jwt, original: original ?? madeUp(userId, now), readable: original !== null }
}

/** One that the service has just accepted, as a cached verdict is part of an attack, and one that it has never seen. */
export async function fetchSpecimens(
  parts: Parts,
): Promise<readonly (Specimen & { readonly name: string })[]> {
  const [known, unknown] = await Promise.all([fetchUnseen(parts), fetchUnseen(parts)])
  await parts.signaling.accepted({ jwt: known.jwt, userId: known.original.userId })
  return [
    { ...known, name: 'an accepted token' },
    { ...unknown, name: 'an unused token' },
  ]
}

/** A token with something changed and the signature that it had; with damaged parts where it cannot be parsed. */
export function tamperedFrom(jwt: string, userId: string, otherUser = userId): Forgery[] {
  const original = takenApart(jwt, userId)
  return original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser })
}
