import type { Reply } from '../../../src/base/http/client.ts'
import { daySeconds } from '../../../src/base/times.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import { flipped, flippedReadably, forged, takenApart } from '../../../src/base/tokens/forge.ts'
import { isStillValid } from '../../../src/base/tokens/token-lifetime.ts'
import type { Case } from '../../../src/requirement/attack.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import { listSessions, type UserSession } from '../../../src/roles/backend/configuration.ts'
import { cutSession } from '../../../src/roles/backend/cut-session.ts'
import type { BackendRequest } from '../../../src/roles/backend/driver.ts'
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

/** Texts in the place of a session, by a name that completes "a request with …". */
type NearSessions = Readonly<Record<string, string>>

/**
 * Texts made of an issued session that a careless comparison takes for it. One that some reader of sessions may take for
 * the same is left out: UUIDs and hexadecimal texts know no case, and their dashes say nothing.
 */
function alterSession(token: string): NearSessions {
  const cut = cutSession(token)
  const last = token.split(/[^a-z0-9+/_=-]/i).at(-1) ?? ''
  const isPart = last.length >= shortestPart && last !== token && isCaseSensitive(last)
  return {
    ...(longNumber.test(token) && {
      'a session of digits with another last one': token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    }),
    ...(isCaseSensitive(token) && {
      'a session with its letters in the other case': swapCase(token),
      'a session without its punctuation': token.replaceAll(/[^a-z0-9=]/gi, ''),
    }),
    ...(isPart && {
      'a session with the letters of its last part in the other case':
        token.slice(0, -last.length) + swapCase(last),
    }),
    ...(cut !== null && {
      'a session without its last characters': cut,
      // Hexadecimal digits, too: a reader of those may stop at the first other character.
      'a session with further digits behind it': `${token}0000`,
    }),
  }
}

/** As a number with a floating point, it is equal to its neighbours. */
const longNumber = /^0*[1-9]\d{17,}$/
/** A shorter part may be the name of a server. */
const shortestPart = 16

/**
 * Moves the time in a session that has expired to tomorrow, in seconds or milliseconds, in plain text or in a part in
 * base64url. Only a login that believes such a time serves it. JWTs have their own forgeries.
 */
function prolongSession(expired: string, nowMs: number): string | null {
  if (readToken(expired) !== null) return null
  const tomorrow = Math.floor(nowMs / 1000) + daySeconds
  const prolong = (text: string) =>
    text.replaceAll(/(?<!\d)1[5-9]\d{8}(\d{3})?(?!\d)/g, (_, thousandths?: string) =>
      thousandths === undefined ? String(tomorrow) : `${tomorrow}000`,
    )
  const inParts = expired.replaceAll(/[\w-]{14,}/g, (part) => {
    const text = Buffer.from(part, 'base64url').toString('latin1')
    const changed = /^[\x20-\x7e]+$/.test(text) ? prolong(text) : text
    return changed === text ? part : Buffer.from(changed, 'latin1').toString('base64url')
  })
  const prolonged = prolong(inParts)
  return prolonged === expired ? null : prolonged
}

/**
 * Lists values that clients without a session send in its place, values that developers leave behind, and
 * patterns to a store.
 */
function guessSessions(userId: string): NearSessions {
  return {
    // A header carries it, and as one word.
    ...(/^[\x21-\x7e]+$/.test(userId) && { "the user's id as the session": userId }),
    ...Object.fromEntries(texts.map((text) => [`${text} as the session`, text])),
    // Where the store of the sessions throws, the route may go on as if it had found one.
    'a session of 4,000 characters': 'x'.repeat(4000),
    'a session with a letter that is not ASCII': 's\xe9ssion',
  }
}

/** Every object of JavaScript has a constructor and a __proto__, also one that is used as a table of sessions. */
const texts = [
  ...['undefined', 'null', 'test-token', '%', '_', '*', '{"$ne":null}', "'OR'1'='1", 'constructor'],
  '__proto__',
]

/**
 * Says whether letters of both cases are mixed, as in base64 and its like. A prefix in another case mixes
 * nothing.
 */
function isCaseSensitive(session: string): boolean {
  return (session.match(/[a-z0-9]+/gi) ?? []).some(
    (run) => run.replaceAll(/[^a-z]/g, '').length > 1 && run.replaceAll(/[^A-Z]/g, '').length > 1,
  )
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  )
}
