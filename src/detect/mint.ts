import { randomBytes } from 'node:crypto'
import type { Answer, HttpClient, Reply } from '../base/http/client.ts'
import { headerOf } from '../base/http/headers.ts'
import { ControlLost, Untested } from '../base/inconclusive.ts'
import { isRecord } from '../base/tokens/decode.ts'
import type { Mint, MintedToken } from '../roles/mint/driver.ts'
import { type Budget, GivenUp } from './budget.ts'

export interface FoundMint {
  /** Where in the body the token is, as `token.field` would say it. */
  readonly field: string
  /** The media type and the keys of a success. */
  readonly success: string
  readonly format: 'JWS' | 'JWE' | 'opaque'
  readonly algorithm: string | null
  /** Claims that hold the userId, for two users alike. */
  readonly userIdClaims: readonly string[]
  readonly takesUuidsOnly: boolean
  /** Seconds; null where they cannot be read off the token. */
  readonly defaultTtlSeconds: number | null
  readonly ttl: readonly { readonly asked: number; readonly granted: number | null | 'refused' }[]
  /** The shortest lifetime granted, where a shorter one was asked for; null: none seen. */
  readonly floorSeconds: number | null
  readonly ceilingSeconds: number | null
  readonly errors: readonly { readonly what: string; readonly shape: string }[]
  /** An address at which the public key of the tokens is published. */
  readonly jwks: string | null
  readonly evidence: readonly string[]
}

export interface MintSearch {
  readonly mint: Mint
  readonly http: HttpClient
  readonly budget: Budget
  newUser(): string
}

const lifetimes = [1, 10, 60, 900, 3600, 86_401]

/**
 * A dozen ordinary requests, and three that must be refused.
 * @throws GivenUp where no token can be got
 */
export async function detectMint(search: MintSearch): Promise<FoundMint> {
  const { mint, newUser, budget } = search
  const evidence: string[] = []
  const minted = async (ttlSeconds?: number): Promise<MintedToken> => {
    budget.mint()
    const token = await mint.token(newUser(), ttlSeconds === undefined ? {} : { ttlSeconds })
    evidence.push(token.exchange)
    return token
  }
  const [first, second] = await toGivenUp(async () => [await minted(), await minted()] as const)
  const held = (token: MintedToken) =>
    token.read === null ? [] : mint.pathsHolding(token.read, token.userId)
  const ttl: { asked: number; granted: number | null | 'refused' }[] = []
  for (const asked of lifetimes) ttl.push({ asked, granted: await grantedFor(asked, minted) })
  const { alg, kid } = first.read?.header ?? {}
  const errors = await readErrorShapes(search, evidence)
  return {
    field: first.at === 'token' || first.at === 'jwt' || first.at === 'whole body' ? 'auto' : first.at,
    success: first.at,
    format: first.read?.format ?? 'opaque',
    algorithm: typeof alg === 'string' ? alg : null,
    userIdClaims: held(first).filter((path) => held(second).includes(path)),
    takesUuidsOnly: false,
    defaultTtlSeconds: secondsOf(first),
    ttl,
    floorSeconds: floorOf(ttl),
    ceilingSeconds: ceilingOf(ttl),
    errors,
    jwks: await findPublishedKeys(search, typeof kid === 'string' ? kid : null),
    evidence,
  }
}

async function toGivenUp<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ControlLost || error instanceof Untested) throw new GivenUp(error.message)
    throw error
  }
}

async function grantedFor(
  asked: number,
  minted: (seconds: number) => Promise<MintedToken>,
): Promise<number | null | 'refused'> {
  try {
    return secondsOf(await minted(asked))
  } catch (error) {
    if (error instanceof ControlLost) return 'refused'
    throw error
  }
}

function secondsOf({ lifetime: { byClaims, byClock } }: MintedToken): number | null {
  const seconds = byClaims ?? byClock
  return seconds === null ? null : Math.round(seconds)
}

type Granted = FoundMint['ttl']

/** Clamped up to it, or refused below it: the smallest that was granted while something smaller was not. */
function floorOf(ttl: Granted): number | null {
  const [least] = ttl
  if (least === undefined || least.granted === null) return null
  if (typeof least.granted === 'number') return least.granted > least.asked + 1 ? least.granted : least.asked
  const granted = ttl.find((one) => typeof one.granted === 'number')
  return granted === undefined ? null : Number(granted.granted)
}

function ceilingOf(ttl: Granted): number | null {
  const last = ttl.at(-1)
  if (last === undefined || last.granted === null) return null
  if (typeof last.granted === 'number') return last.granted < last.asked - 1 ? last.granted : null
  const granted = ttl.findLast((one) => typeof one.granted === 'number')
  return granted === undefined ? null : Number(granted.granted)
}

async function readErrorShapes(
  { mint, newUser }: MintSearch,
  evidence: string[],
): Promise<FoundMint['errors']> {
  const unknown = `ac_live_${randomBytes(24).toString('hex')}`
  const asked: readonly (readonly [string, () => Promise<Reply>])[] = [
    ['no API key', () => mint.request({ key: null, userId: newUser() })],
    ['an unknown API key', () => mint.request({ key: unknown, userId: newUser() })],
    ['no userId', () => mint.request({ body: {} })],
  ]
  const shapes: { what: string; shape: string }[] = []
  for (const [what, ask] of asked) {
    const reply = await ask()
    evidence.push(reply.exchange)
    shapes.push({ what, shape: reply.kind === 'answer' ? shapeOf(reply) : reply.message })
  }
  return shapes
}

/** Status, media type and the keys of a JSON body, to two levels. */
function shapeOf({ status, headers, json, body }: Answer): string {
  const type = (headerOf(headers, 'content-type') ?? 'no content type').split(';')[0] ?? ''
  if (json === undefined) return `${status}, ${type}, ${body === '' ? 'no body' : 'text'}`
  const keys = (value: unknown): string =>
    isRecord(value)
      ? `{ ${Object.entries(value)
          .map(([key, inner]) => (isRecord(inner) ? `${key}: { ${Object.keys(inner).join(', ')} }` : key))
          .join(', ')} }`
      : Array.isArray(value)
        ? 'a list'
        : typeof value
  return `${status}, ${type}, ${keys(json)}`
}

const keySetPaths = ['/.well-known/jwks.json', '/api/v1/.well-known/jwks.json', '/jwks.json']

/** The usual addresses of a key set on the mint's host, where it has the key of the token. */
async function findPublishedKeys({ mint, http }: MintSearch, kid: string | null): Promise<string | null> {
  if (kid === null) return null
  for (const path of keySetPaths) {
    const url = new URL(path, mint.endpoint).href
    const reply = await http.send({
      to: 'jwks',
      method: 'GET',
      url,
      headers: [['accept', 'application/json']],
    })
    if (reply.kind !== 'answer' || reply.status !== 200 || !isRecord(reply.json)) continue
    const { keys } = reply.json
    if (Array.isArray(keys) && keys.some((key) => isRecord(key) && key['kid'] === kid)) return url
  }
  return null
}
