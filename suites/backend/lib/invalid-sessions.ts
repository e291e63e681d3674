import type { Reply } from '../../../src/base/http/client.ts'
import { flipped, flippedReadably, forged, takenApart } from '../../../src/base/tokens/forge.ts'
import { isStillValid } from '../../../src/base/tokens/token-lifetime.ts'
import type { Case } from '../../../src/requirement/attack.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import { listSessions, type UserSession } from '../../../src/roles/backend/configuration.ts'
import type { BackendRequest } from '../../../src/roles/backend/driver.ts'
import { alterSession, guessSessions, prolongSession } from './near-sessions.ts'
import { createUnguardedRequests } from './unguarded-requests.ts'

/** A request without a valid session; its name completes "a request with …". */
export interface InvalidSession extends Case {
  readonly request: BackendRequest
  /**
   * Only a token, or a mint call, is judged: sent by a method or to a path that the route need not support, or with a text
   * or headers that are no client's, which a firewall or the server may reject before the route sees it.
   */
  readonly onlyTokenCounts: boolean
}

export const signedOutName = 'a signed-out session'
/** Begins the names of requests with a calling JWT in place of the session. */
export const callingJwtName = 'a calling JWT as the session'
const outlivingName = `${signedOutName} that states a later end`

/** A session that states its end lives on where a login looks nothing up: its token is no open route. */
export function mayLive(name: string): boolean {
  return name.startsWith(outlivingName)
}

/** A server may drop a request that no client sends before the route sees it. */
export function mayBeDropped({ onlyTokenCounts }: InvalidSession, { kind }: Reply): boolean {
  return onlyTokenCounts && kind === 'no-answer'
}

/** @param valid a session from which others are derived */
export function createInvalidSessions(
  {
    configuration: { mint, backend },
    randomBytes,
    secrets,
    clock,
    available,
    optional,
  }: CheckContext<'backend'>,
  valid: UserSession,
  callingJwt: string,
): InvalidSession[] {
  const session = valid.token
  const expired = optional('expiredSession')
  const signedOut = available('signedOutSession')
  const apiKey = mint?.apiKey ?? backend?.fakeMint?.apiKey
  const prolonged = expired === undefined ? null : prolongSession(expired, clock.wall())
  const madeUp = () => randomBytes(24).toString('base64url')
  const bearers: Readonly<Record<string, string>> = {
    'a session that was never issued': madeUp(),
    'a truncated session': session.slice(0, Math.floor(session.length / 2)),
    ...tamperSession(valid),
    ...(apiKey !== undefined && { 'the API key as the session': apiKey }),
    ...(expired !== undefined && { 'an expired session': expired }),
    ...(prolonged !== null && { 'a session that has expired, with a later time in it': prolonged }),
    ...(signedOut !== undefined && {
      [isStillValid(signedOut, clock.wall()) ? outlivingName : signedOutName]: signedOut,
    }),
  }
  const other = backend?.method === 'GET' ? 'POST' : 'GET'
  const issued = [session, ...listSessions(backend?.sessions ?? {}).map(({ token }) => token)]
  const altered = alterSession(session)
  for (const text of [...Object.values(altered), ...(prolonged === null ? [] : [prolonged])])
    secrets.register('session', text)
  const requests: readonly (readonly [name: string, request: BackendRequest])[] = [
    // First, since it ends within seconds.
    [callingJwtName, { session: callingJwt }],
    ['no session', { session: null }],
    ['an empty session', { authorization: 'Bearer ' }],
    // A valid session under another scheme is still valid: only one that was never issued shows a fault.
    ['a made-up session under the Basic scheme', { authorization: `Basic ${madeUp()}` }],
    ...Object.entries(bearers).map(([name, bearer]) => [name, { session: bearer }] as const),
  ]
  const near = Object.entries({ ...altered, ...guessSessions(valid.userId) })
  return [
    ...requests.flatMap(([name, request]) => [
      { name, request, onlyTokenCounts: false },
      { name: `${name}, by ${other}`, request: { ...request, method: other }, onlyTokenCounts: true },
    ]),
    ...near
      .filter(([, text]) => !issued.includes(text))
      .map(([name, text]) => ({
        name,
        request: { session: text },
        onlyTokenCounts: !isBearer(text) || text.length > longestBearer,
      })),
    ...Object.entries(createUnguardedRequests(valid.userId)).map(([name, request]) => ({
      name,
      request: { ...request, session: null },
      onlyTokenCounts: true,
    })),
  ]
}

/** A server may refuse longer headers before the route sees them. */
const longestBearer = 2000

/** RFC 6750, b64token. */
function isBearer(text: string): boolean {
  return /^[A-Za-z0-9\-._~+/]+=*$/.test(text)
}

function tamperSession({ token, userId }: UserSession): Readonly<Record<string, string>> {
  const original = takenApart(token, userId)
  if (original === null) return { 'a session with one character changed': changeMiddle(token) }
  const { signature } = original
  const readable = flippedReadably(original)
  const middle = Math.floor(signature.length / 2)
  return {
    ...(readable !== null && {
      'a session with a byte of its claims flipped': forged(original, { payload: readable }),
    }),
    ...(signature.length > 0 && {
      'a session with a byte of its signature flipped': forged(original, {}, flipped(signature, middle)),
      'a session with alg "none"': forged(original, { header: { alg: 'none' } }, new Uint8Array()),
    }),
  }
}

/** Digits are legal in every alphabet, and have no case that a careless comparison could fold. */
function changeMiddle(session: string): string {
  const middle = Math.floor(session.length / 2)
  const index = Array.from(session, (_, at) => at)
    .filter((at) => /[a-z0-9]/i.test(session.charAt(at)))
    .reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), 0)
  return session.slice(0, index) + (session.charAt(index) === '3' ? '5' : '3') + session.slice(index + 1)
}
