import { isRecord, type ReadToken, readToken } from './token.ts'

/** Tells a calling JWT from others. */
export interface JwtJudge {
  judge(jwt: string): 'calling' | 'possible' | 'expired' | 'other' | null
}

const daySeconds = 86_400

/** Properties that the tokens of one mint have in common. */
export interface TokenModel {
  readonly format: 'JWS' | 'JWE'
  readonly algorithm: unknown
  readonly type: unknown
  /** `undefined` where the claims cannot be read. */
  readonly issuer: unknown
  readonly audience: unknown
  /** Names of the claims; `null` where they cannot be read. */
  readonly claims: readonly string[] | null
}

/**
 * Returns the properties that a token shares with the others of its mint; `null` where the text is no token.
 */
export function modelOf(jwt: string): TokenModel | null {
  const token = readToken(jwt)
  return token === null || !isJose(token) ? null : describe(token)
}

function describe({ format, header, claims }: ReadToken): TokenModel {
  return {
    format,
    algorithm: header['alg'],
    type: header['typ'],
    issuer: claims?.['iss'],
    audience: claims?.['aud'],
    claims: claims === null ? null : Object.keys(claims),
  }
}

/** Returns the properties of the mint's tokens that a run observed; `null` where it saw none. */
export function observedModel(observations: Readonly<Record<string, unknown>>): TokenModel | null {
  const format = observations['mint.tokenFormat']
  const claims = observations['mint.tokenClaims']
  if (format !== 'JWS' && format !== 'JWE') return null
  return {
    format,
    algorithm: observations['mint.tokenAlgorithm'],
    type: observations['mint.tokenType'] ?? undefined,
    issuer: observations['mint.tokenIssuer'] ?? undefined,
    audience: observations['mint.tokenAudience'] ?? undefined,
    claims: Array.isArray(claims) ? claims.map(String) : null,
  }
}

/** @param like what the mint's tokens look like: what resembles one is a calling JWT, and nothing else is. */
export function createJwtJudge(like: readonly TokenModel[], nowSeconds: () => number): JwtJudge {
  return {
    judge(jwt) {
      const token = readToken(jwt)
      if (token === null || !isJose(token)) return null
      const calling =
        like.length > 0 ? like.some((model) => resembles(describe(token), model)) : speaksOfCalling(token)
      if (!calling) return like.length === 0 && isPossible(token, nowSeconds()) ? 'possible' : 'other'
      const exp = token.claims?.['exp']
      return typeof exp === 'number' && exp < nowSeconds() ? 'expired' : 'calling'
    },
  }
}

function isJose({ header, claims, format }: ReadToken): boolean {
  return (
    typeof header['alg'] === 'string' &&
    (format === 'JWE' ? typeof header['enc'] === 'string' : claims !== null)
  )
}

const registered = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])

/**
 * Nearly the same claims of the same issuer. A service that runs in several places has several issuers: then the header
 * has to be alike too, and something has to be there that other services do not put into their tokens.
 */
function resembles(token: TokenModel, model: TokenModel): boolean {
  if (token.format !== model.format) return false
  const isAlike = token.algorithm === model.algorithm && token.type === model.type
  if (token.claims === null || model.claims === null) return isAlike
  const known = new Set(token.claims)
  const shared = model.claims.filter((name) => known.has(name))
  const share = shared.length / new Set([...token.claims, ...model.claims]).size
  if (token.issuer === model.issuer) return share >= 0.7 && (isAlike || model.issuer !== undefined)
  const isOwn =
    shared.some((name) => !registered.has(name)) ||
    (model.audience !== undefined && isSameAudience(token.audience, model.audience))
  return isAlike && share >= 0.85 && isOwn
}

/** One text, or a list of them: whatever else a token has there is no audience. */
function isSameAudience(one: unknown, other: unknown): boolean {
  const [some, others] = [[one].flat(), [other].flat()]
  return (
    some.length === others.length &&
    some.every((text, index) => typeof text === 'string' && text === others[index])
  )
}

const topic = /(?:^|[^a-z])(?:calling|calls?|voice|video|voip|rtc|webrtc|signaling|signalling)(?:[^a-z]|$)/i

function speaksOfCalling({ header, claims }: ReadToken): boolean {
  if (claims === null) return texts(header, 0).some((text) => topic.test(spaced(text)))
  return texts(claims, 0).some((text) => topic.test(spaced(text))) || isShortLivedUserToken(claims)
}

const userClaims = /^(?:sub|uid|user|user_?id|userid|identity|peer_?id|callee|caller)$/i

/** A user's token that lives less than a day. */
function isShortLivedUserToken(claims: Readonly<Record<string, unknown>>): boolean {
  return secondsOf(claims, Number.NEGATIVE_INFINITY) < daySeconds && hasUser(claims, 0)
}

/** A user's token that lives exactly a day, or no longer than a day from now where it does not say since when. */
function isPossible({ claims }: ReadToken, now: number): boolean {
  return secondsOf(claims ?? {}, now) <= daySeconds && hasUser(claims, 0)
}

/** How long a token lives from its issue on, or from another time where it does not say since when. */
function secondsOf({ exp, iat, nbf }: Readonly<Record<string, unknown>>, otherwise: number): number {
  const from = typeof iat === 'number' ? iat : typeof nbf === 'number' ? nbf : otherwise
  return typeof exp === 'number' ? exp - from : Number.POSITIVE_INFINITY
}

function hasUser(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > 4) return false
  return Object.entries(value).some(
    ([name, inner]) =>
      (userClaims.test(name.split(/[/:.]/).at(-1) ?? name) &&
        (typeof inner === 'string' || typeof inner === 'number')) ||
      hasUser(inner, depth + 1),
  )
}

/** Names and string values, to a small depth. */
function texts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 4) return []
  if (Array.isArray(value)) return value.flatMap((item: unknown) => texts(item, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...texts(inner, depth + 1)])
}

/** `callingUserId` and `calling_user_id` alike become separate words. */
function spaced(text: string): string {
  return text.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
