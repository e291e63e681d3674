import {
  type Change,
  claimsOf,
  type Original,
  takenApart,
  withClaims,
} from '../../../src/base/tokens/forge.ts'
import { resigned } from '../../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CallingTokens } from '../../../src/roles/backend/calling-tokens.ts'
import type { Attempt } from '../../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { fetchSignedToken, otherSigner } from './fetch-signed-token.ts'
import { tryAll } from './try-attacks.ts'

/** One change to a calling token that is then signed again with a key that signaling trusts. */
export interface Resigned {
  /** Completes "a correctly signed token …". */
  readonly name: string
  change(original: Original): Change
}

/** Offers a fresh calling token with one change; null where no token of this key came, or it cannot be read. */
export type OfferResigned = (changed: Resigned) => Promise<Attempt | null>

export interface ResignedOffers {
  /** A token as the mint made it. */
  readonly specimen: Original
  readonly offer: OfferResigned
}

export interface OfferSettings {
  readonly callingTokens: CallingTokens
  readonly signaling: Signaling
  readonly key: TestKey
  /** Says whether claims like these can be changed as intended. */
  readonly isSuitable: (claims: Readonly<Record<string, unknown>>) => boolean
}

/**
 * Shows first that a token that is signed again without a change is accepted. Null where nothing can be offered: the judge
 * has been told why, but for tokens that are not suitable, which `onUnsuitable` hears of.
 */
export async function openResignedOffers(
  { callingTokens, signaling, key, isSuitable }: OfferSettings,
  judge: Judge,
  onUnsuitable: () => void,
): Promise<ResignedOffers | null> {
  const specimen = async (): Promise<Original | null> => {
    const token = await fetchSignedToken(key, callingTokens.fresh)
    const original = token === null ? null : takenApart(token.jwt, token.userId)
    return original !== null && isSuitable(claimsOf(original)) ? original : null
  }
  const offer: OfferResigned = async ({ name, change }) => {
    const original = await specimen()
    if (original === null) return null
    const token = await resigned(original, key, change(original))
    const what = `a correctly signed token ${name}`
    const [tried] = await tryAll([{ what, token, userId: original.userId, isGenuine: true }], signaling)
    return tried?.made ?? null
  }
  const first = await fetchSignedToken(key, callingTokens.fresh)
  if (first === null) {
    judge.untested(otherSigner)
    return null
  }
  const original = takenApart(first.jwt, first.userId)
  const control =
    original === null ? null : await offer({ name: 'that is signed again unchanged', change: () => ({}) })
  if (original === null || control === null) {
    onUnsuitable()
    return null
  }
  if (control.outcome !== 'accepted') {
    judge.lost(
      `control failed: a valid token signed with token.signWith was rejected: signaling ${control.summary}`,
      [control.exchange],
    )
    return null
  }
  return { specimen: original, offer }
}

export function changeClaims(original: Original, changed: Readonly<Record<string, unknown>>): Change {
  return { payload: withClaims(original, changed) }
}
