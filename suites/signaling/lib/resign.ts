import {
  type Change,
  claimsOf,
  type Original,
  takenApart,
  withClaims,
} from '../../../src/base/tokens/forge.ts'
import { resigned } from '../../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import type { Case } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import type { Credential } from './reject-credentials.ts'

/** A mint may sign with several keys in turn, or at random. */
const mostTries = 12

/** A calling token that this key has signed, or that cannot be parsed; null where the mint has other keys. */
export async function fetchSignedToken<Token extends { readonly jwt: string }>(
  key: TestKey,
  fetch: () => Promise<Token>,
  judge: Pick<Judge, 'untested'> | null,
): Promise<Token | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const token = await fetch()
    if (token.jwt.split('.').length !== 3 || (await key.hasSigned(token.jwt))) return token
  }
  judge?.untested(
    `none of ${mostTries} calling tokens was signed with token.signWith, so no variant of one could be signed`,
  )
  return null
}

/** The control of variants: the token is accepted when it is signed again unchanged. */
export async function isAcceptedAgain(
  signaling: Signaling,
  key: TestKey,
  original: Original,
  judge: Judge | null,
): Promise<boolean> {
  const token = await resigned(original, key, {})
  const name = 'a token that is signed again unchanged'
  const made = await signaling.decide({ token, declaredUser: original.userId, case: name })
  if (made.outcome === 'accepted') return true
  const lost = 'control failed: a valid token signed with token.signWith was rejected: signaling'
  judge?.lost(`${lost} ${made.summary}`, [made.exchange])
  return false
}

/** The token, signed again, as one that ended so many seconds ago; null where it states no end. `left` are its own seconds. */
export async function signAsEnded(
  key: TestKey,
  { jwt, userId }: { readonly jwt: string; readonly userId: string },
  seconds: number,
  left?: number | null,
): Promise<string | null> {
  const original = takenApart(jwt, userId)
  const { exp, iat } = original === null ? {} : claimsOf(original)
  if (original === null || typeof exp !== 'number') return null
  const back = (left ?? exp - Date.now() / 1000) + seconds
  // A token of the control that was issued in the future would be invalid for another reason.
  const issued = typeof iat === 'number' && back > 0 ? { iat: Math.floor(iat - back) } : {}
  return await resigned(original, key, {
    payload: withClaims(original, { exp: Math.floor(exp - back), ...issued }),
  })
}

/** One change to a calling token that is then signed again with a key that signaling trusts. */
export interface Resigned extends Case {
  change(original: Original): Change
}

/** A credential for each change that suits the tokens; empty where not even an unchanged one is accepted. */
export async function resignTokens<One extends Resigned>(
  { callingTokens, signaling }: CheckContext<'callingTokens' | 'signaling'>,
  key: TestKey,
  judge: Judge,
  listSuitable: (specimen: Original) => readonly One[],
): Promise<(One & Credential)[]> {
  const fetch = async () => {
    const token = await fetchSignedToken(key, callingTokens.fresh, judge)
    return token === null ? null : takenApart(token.jwt, token.userId)
  }
  const specimen = await fetch()
  const changes = specimen === null ? [] : listSuitable(specimen)
  if (specimen === null || changes.length === 0) return []
  if (!(await isAcceptedAgain(signaling, key, specimen, judge))) return []
  const credentials = changes.map(async (one) => {
    const original = await fetch()
    if (original === null) return []
    const token = await resigned(original, key, one.change(original))
    return [{ ...one, token, userId: original.userId, isGenuine: true as const }]
  })
  return (await Promise.all(credentials)).flat()
}

export function changeClaims(changed: (claims: ReturnType<typeof claimsOf>) => object) {
  return (original: Original): Change => ({
    payload: withClaims(original, { ...changed(claimsOf(original)) }),
  })
}
