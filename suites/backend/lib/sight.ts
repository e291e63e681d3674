import { readToken } from '../../../src/base/tokens/decode.ts'
import { pathsHolding, userAt } from '../../../src/base/tokens/find-user-claim.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { BackendRequest } from '../../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'
import { askPastCache } from './ask-past-cache.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

export const tokensTellNoUser =
  'needs backend.fakeMint, or token.userIdClaim: without the mint double only the claims of a token tell for whom it was minted, and no claim holds the userId'
/** Why nothing shows whose token another one is. */
export const oneUserForTwo = 'the tokens of alice and bob name one and the same user, which BACK-05 judges'

type Parts = CheckContext<'backend'>

/** A token and its user; the user is null where a cache answered. */
export interface SeenToken {
  readonly jwt: string
  readonly user: string | null
  readonly exchange: string
}

export type Sight = ReturnType<typeof createSight>

/** Runs with short-lived tokens of the double; `sight` is null where nothing shows for whom tokens are issued. */
export function withSight(parts: Parts, run: (sight: Sight | null) => Promise<void>): Promise<void> {
  return withShortLivedTokens(parts, async (double) => {
    const userOf =
      double === null ? await learnTokenUser(parts) : (jwt: string) => findMintedUser(double, jwt)
    await run(userOf === null ? null : createSight(parts, double, userOf))
  })
}

/** The userId for which the double issued this token; null where it did not issue it in this turn. */
export function findMintedUser(double: Pick<ScriptedMint, 'calls'>, jwt: string): string | null {
  return double.calls().find(({ issued }) => issued === jwt)?.userId ?? null
}

/** Two users have different tokens that name one and the same user. */
export function isOneUser(one: Pick<SeenToken, 'jwt' | 'user'>, other: typeof one): boolean {
  return one.jwt !== other.jwt && one.user !== null && one.user === other.user
}

/** The user of a token; null where nothing shows it, as for one that the double issued in another turn. */
type UserOf = (jwt: string) => string | null

/**
 * Shows for whom tokens are issued: by the journal of the mint double, else by the tokens' own claim.
 * @param double null where the backend calls its real mint
 */
function createSight(parts: Parts, double: ScriptedMint | null, userOf: UserOf) {
  const { backend } = parts
  /** By the session: a cache may share a token between the devices of a user, and shows nothing on one. */
  const known = new Map<UserSession, Set<string>>()
  /** Sends one request of the app, past a cache where the double shows one. */
  const request = async (change: BackendRequest) => {
    const { reply, calls } =
      double === null
        ? { reply: await backend.request({ followRedirects: true, ...change }), calls: [] }
        : await askPastCache(parts, double, change)
    const jwt = backend.tokenOf(reply)
    return { reply, calls, jwt, user: jwt === null ? null : userOf(jwt) }
  }
  return {
    double,
    /** Completes "userIds in …". */
    place: double === null ? 'the tokens' : 'the mint calls',
    userOf,
    request,
    async fetch(session: UserSession): Promise<SeenToken> {
      const { jwt, exchange } = await backend.token(session)
      if (double === null) {
        const own = known.get(session) ?? new Set()
        known.set(session, own)
        return { jwt, user: own.size === own.add(jwt).size ? null : userOf(jwt), exchange }
      }
      const user = userOf(jwt)
      if (user !== null) return { jwt, user, exchange }
      const again = await request({ session })
      return { jwt: again.jwt ?? jwt, user: again.user, exchange: again.reply.exchange }
    },
  }
}

/**
 * Learns which claim holds the userId, for a backend that the mint double does not serve: the one that is configured, the
 * one in which the mint puts made-up users, or the one with the user of alice's session. Null where none does.
 */
export async function learnTokenUser({
  backend,
  configuration,
  available,
}: Pick<Parts, 'backend' | 'configuration' | 'available'>): Promise<UserOf | null> {
  const { userIdClaim } = configuration.token
  const stated = userIdClaim === 'auto' ? await available('mint')?.userIdPaths() : [userIdClaim]
  const claimsOf = (jwt: string) => readToken(jwt)?.claims ?? {}
  const [path] = stated?.length
    ? stated
    : pathsHolding(claimsOf((await backend.token()).jwt), backend.alice.userId, 'auto')
  return path === undefined ? null : (jwt) => userAt(claimsOf(jwt), path)
}
