import type { Reply } from '../../../src/base/http/client.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'
import type { End } from '../../../src/roles/mint/expiry.ts'

/** Caches drop a token some time before its end. */
const earlyMs = 500

export function hasExpiry(token: string): boolean {
  return typeof readToken(token)?.claims?.['exp'] === 'number'
}

export type Parts = CheckContext<'backend' | 'mintDouble' | 'expiry'>
export type Tokens = ReturnType<typeof createTokens>

/** The tokens that the backend returned or was issued here, and when each expires. */
export function createTokens({ backend, mintDouble, expiry, clock, configuration }: Parts, judge: Judge) {
  const longest = configuration.limits.maxTtlWaitSeconds
  const returned = new Map<string, End>()
  /** Those that the double has issued here, whether or not they were returned. */
  const issuedHere = new Map<string, End>()
  let hidden = false

  /** From the claims and the suite's monotonic clock, so that clock skew does not matter. */
  const endingOf = (token: string, { sentAt, receivedAt }: Pick<Reply, 'sentAt' | 'receivedAt'>) => {
    const { exp, iat } = readToken(token)?.claims ?? {}
    const lives = typeof exp === 'number' ? exp - clock.wall() / 1000 : 0
    const left = Math.max(lives, expiry.ttlSeconds)
    const lifetime = {
      byClaims: typeof exp === 'number' && typeof iat === 'number' ? exp - iat : left,
      // Detects a backdated `iat`.
      byClock: typeof exp === 'number' ? lives : null,
    }
    return { lifetime, askedSeconds: expiry.ttlSeconds, sentAt, receivedAt }
  }
  const note = (token: string, reply: Reply) => {
    const ending = endingOf(token, reply)
    const { byClaims, byClock } = ending.lifetime
    // A backend that mints in the background may do so after the double grants the requested lifetimes again.
    if (expiry.ttlSeconds <= longest && Math.min(byClaims, byClock ?? byClaims) > longest) {
      hidden = true
      judge.missed(
        `the backend returns tokens that live longer than the limit of ${longest} s (limits.maxTtlWaitSeconds)`,
      )
    } else returned.set(token, expiry.endOf(ending))
  }
  /** A token that the backend keeps for a later request may be returned for the first time after its expiry. */
  const noteIssued = (double: ScriptedMint) => {
    const now = clock.monotonic()
    for (const { issued } of double.calls()) {
      if (issued === null || issuedHere.has(issued)) continue
      const ending = endingOf(issued, { sentAt: now, receivedAt: now })
      if (ending.lifetime.byClaims <= longest) issuedHere.set(issued, expiry.endOf(ending))
    }
  }
  return {
    ask: (user: UserSession, name?: string) =>
      backend.request({ session: user, followRedirects: true, ...(name !== undefined && { case: name }) }),
    /** Judges that the token has not expired; returns whether the reply has a token. */
    judged(reply: Reply, when: string): boolean {
      const token = backend.tokenOf(reply)
      if (token === null) return false
      const end = returned.get(token) ?? issuedHere.get(token)
      judge.must(end === undefined || reply.sentAt <= end.expiredAt, {
        case: when,
        saw: `a token returned ${Math.ceil((reply.sentAt - (end?.expiredAt ?? 0)) / 100) / 10} s after its expiry, ${when}`,
        expected: 'a valid token or an error (3)',
        fix: 'Mint for every request, or drop a cached token before its expiry.',
        evidence: [reply.exchange],
      })
      if (!returned.has(token)) note(token, reply)
      return true
    },
    /** One short turn in which the double grants the shortest lifetime. */
    turn: <T>(run: (double: ScriptedMint) => Promise<T>) =>
      mintDouble.scripted(async (double) => {
        double.lifetime(expiry.ttlSeconds)
        const result = await run(double)
        noteIssued(double)
        return result
      }),
    /** A token that was issued to another requirement, and is not known to have expired. */
    isOthers(reply: Reply, double: ScriptedMint): boolean {
      const token = backend.tokenOf(reply)
      return (
        token !== null &&
        hasExpiry(token) &&
        !returned.has(token) &&
        double.calls().every(({ issued }) => issued !== token)
      )
    },
    /** A token that is valid yet; a backend may take what it cannot read for a token. */
    isValid(reply: Reply): boolean {
      const token = backend.tokenOf(reply) ?? ''
      const end = returned.get(token)
      return hasExpiry(token) && end !== undefined && reply.sentAt <= end.expiredAt
    },
    areHidden: () => hidden,
    endOf: (reply: Reply): End | undefined => returned.get(backend.tokenOf(reply) ?? ''),
    lastEnd: () => Math.max(...[...returned.values()].map(({ expiredAt }) => expiredAt)),
    /** When all tokens have expired that the double has issued in this turn, and those of the replies. */
    lastEndOf(double: ScriptedMint, replies: readonly Reply[]): number {
      noteIssued(double)
      const ends = [
        ...double.calls().map(({ issued }) => issuedHere.get(issued ?? '')),
        ...replies.map((reply) => returned.get(backend.tokenOf(reply) ?? '')),
      ]
      return Math.max(clock.monotonic(), ...ends.map((end) => end?.expiredAt ?? 0))
    },
  }
}

/** Two requests of the first user, within the lifetime of a token: a longer one where they took too long. */
export async function askTwice(
  { backend, expiry, configuration }: Pick<Parts, 'backend' | 'expiry' | 'configuration'>,
  double: Pick<ScriptedMint, 'calls' | 'lifetime'>,
) {
  const askWithin = async (seconds: number) => {
    double.lifetime(seconds)
    const before = double.calls().length
    const first = await backend.token(backend.alice)
    const second = await backend.token(backend.alice)
    const mints = double.calls().length - before
    const areNew = mints >= 2 && first.jwt !== second.jwt
    // `exp` has whole seconds: a token may end one earlier.
    const end = first.answer.sentAt + (seconds - 1) * 1000 - earlyMs
    return { first, second, mints, seconds, isMissed: areNew && second.answer.sentAt >= end }
  }
  let pair = await askWithin(expiry.ttlSeconds)
  for (const seconds of expiry.lifetimes) {
    if (!pair.isMissed || seconds > configuration.limits.maxTtlWaitSeconds) break
    if (seconds > pair.seconds) pair = await askWithin(seconds)
  }
  return pair
}
