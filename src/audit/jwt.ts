import { isRecord, type ReadToken, readToken } from '../tokens/decode.ts'

/** Tells a calling JWT from others. */
export interface JwtJudge {
  judge(jwt: string): 'calling' | 'expired' | 'other' | null
}

const daySeconds = 86_400

/** @param like a token that the mint issued, or several: what resembles one is a calling JWT, and nothing else is. */
export function createJwtJudge(like: readonly string[], nowSeconds: () => number): JwtJudge {
  const models = like.map(readToken).filter((token) => token !== null)
  return {
    judge(jwt) {
      const token = readToken(jwt)
      if (token === null || !isJose(token)) return null
      const calling =
        models.length > 0 ? models.some((model) => resembles(token, model)) : speaksOfCalling(token)
      if (!calling) return 'other'
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

/** The same kind of header, the same issuer, and nearly the same claims. */
function resembles(token: ReadToken, model: ReadToken): boolean {
  if (token.format !== model.format || token.header['alg'] !== model.header['alg']) return false
  if (token.header['typ'] !== model.header['typ']) return false
  if (token.claims === null || model.claims === null) return true
  if (token.claims['iss'] !== model.claims['iss']) return false
  const names = new Set([...Object.keys(token.claims), ...Object.keys(model.claims)])
  const shared = Object.keys(model.claims).filter((name) => name in (token.claims ?? {}))
  return shared.length >= names.size * 0.7
}

const topic = /(?:^|[^a-z])(?:calling|calls?|voice|video|voip|rtc|webrtc|signaling|signalling)(?:[^a-z]|$)/i

function speaksOfCalling({ header, claims }: ReadToken): boolean {
  if (claims === null) return texts(header, 0).some((text) => topic.test(spaced(text)))
  return texts(claims, 0).some((text) => topic.test(spaced(text))) || isShortLivedUserToken(claims)
}

const userClaims = /^(?:sub|uid|user|user_?id|userid|identity|peer_?id|callee|caller)$/i

function isShortLivedUserToken(claims: Readonly<Record<string, unknown>>): boolean {
  const { exp, iat, nbf } = claims as { exp?: unknown; iat?: unknown; nbf?: unknown }
  const from = typeof iat === 'number' ? iat : nbf
  if (typeof exp !== 'number' || typeof from !== 'number' || exp - from >= daySeconds) return false
  return hasUser(claims, 0)
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
