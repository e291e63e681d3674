import { parsedJson } from '../../../src/base/http/incoming.ts'
import { isRecord, readToken } from '../../../src/base/tokens/decode.ts'
import type { BrokenVariants, Catch, Policies } from '../../../src/requirement/define.ts'
import { rows } from '../../lib/broken-rows.ts'

export type Backend = Policies['backend']
export type Inbound = Parameters<Backend['userId']>[1]
type Reader = (request: Inbound) => string | undefined

export function backends(policies: Readonly<Record<string, Partial<Backend>>>): BrokenVariants {
  return rows(policies, (backend) => ({ backend }))
}

/** Each of these rows, and once more as one that cannot be pointed at the mint double. */
export function alsoWithoutDouble(rows: BrokenVariants): BrokenVariants {
  const without = Object.entries(rows).map(
    ([name, row]) =>
      [`${name}, and cannot be pointed at the mint double`, { ...row, withoutDouble: true }] as const,
  )
  return { ...rows, ...Object.fromEntries(without) }
}

/** Fields of a JSON body; none where it is no object. */
export function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(body)
  return isRecord(value) ? value : {}
}

export function inJson(...path: readonly string[]): Reader {
  return ({ body }) => {
    const found = path.reduce<unknown>(
      (value, name) => (isRecord(value) ? value[name] : undefined),
      fieldsOf(body),
    )
    return typeof found === 'string' ? found : undefined
  }
}

export function inForm(name: string): Reader {
  return ({ body }) => new URLSearchParams(body).get(name) ?? undefined
}

export function inQuery(name: string): Reader {
  return ({ url }) => url.searchParams.get(name) ?? undefined
}

export function inHeader(name: string): Reader {
  return ({ headers }) => headers[name]
}

export function inCookie(name: string): Reader {
  return ({ headers }) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(headers['cookie'] ?? '')?.[1]
}

/** The session of a request: any text behind the scheme. */
export function bearerOf({ headers }: Inbound): string | null {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

export function presenting(find: Reader): Pick<Backend, 'presentedSession'> {
  return { presentedSession: (request) => find(request) ?? bearerOf(request) }
}

/** The session that a signed one states, whether or not its signature is valid and its parts are three. */
export function statedSession(token: string) {
  const [header, payload, signature = ''] = token.split('.')
  const claims = readToken([header, payload, signature].join('.'))?.claims
  const [id, userId, exp] = [claims?.['sid'], claims?.['sub'], claims?.['exp']]
  if (typeof id !== 'string' || typeof userId !== 'string' || typeof exp !== 'number') return null
  return { id, userId, expiresAt: exp * 1000 }
}

type MintCall = Parameters<Backend['mintCall']>[0]
type Details = Parameters<Backend['mintCall']>[1]

export function calling(change: (usual: MintCall, details: Details) => Partial<MintCall>): Catch {
  return { backend: { mintCall: (usual, details) => ({ ...usual, ...change(usual, details) }) } }
}

export function callingWithHeaders(headersOf: (details: Details) => Readonly<Record<string, string>>): Catch {
  return calling(({ headers }, details) => ({ headers: { ...headers, ...headersOf(details) } }))
}

export function callingWithBody(bodyOf: (details: Details) => unknown): Catch {
  return calling((_, details) => ({ body: JSON.stringify(bodyOf(details)) }))
}

export function sentBearer({ inbound }: Pick<Details, 'inbound'>): string {
  return inbound.headers.authorization ?? ''
}

function longestPart(session: string): string {
  return session.split('_').toSorted((one, other) => other.length - one.length)[0] ?? ''
}

/** A backend that sends on the longest part of a session, which is all that its login looks at. */
export function sendingLongestPart(): Catch {
  const { backend } = callingWithHeaders((details) => ({
    'x-trace': longestPart(sentBearer(details).slice('Bearer '.length)),
  }))
  return {
    backend: {
      ...backend,
      recall: async (token, { byToken }, usual) =>
        (await usual()) ?? [...byToken].find(([known]) => longestPart(known) === token)?.[1] ?? null,
    },
  }
}

export function rejecting(isRejected: (request: Inbound) => boolean): Pick<Backend, 'callingToken'> {
  return {
    async callingToken(request, { authenticate, mint, userId }) {
      if (isRejected(request)) throw new Error('blocked')
      return await mint(userId(await authenticate()))
    },
  }
}

/** A backend that checks the session of some requests only, and mints for a guest without. */
export function guarding(isGuarded: (request: Inbound) => boolean): Pick<Backend, 'callingToken'> {
  return {
    callingToken: async (request, { authenticate, mint, userId }) =>
      mint(isGuarded(request) ? userId(await authenticate()) : 'guest'),
  }
}

export function jsonAnswer(status: number, value: unknown) {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** A mint's response as a backend saw it; null where there was none. */
type Failed = { readonly status: number } | null

/** A backend whose error page dumps some of its failed requests. */
export function printRequest(print: (headers: object) => unknown, isPrinted: (reply: Failed) => boolean) {
  let sent: object = {}
  return {
    mintCall<Call extends { readonly headers: object }>(usual: Call): Call {
      sent = usual.headers
      return usual
    },
    mintFailed<Answer>(usual: Answer, { reply }: { readonly reply: Failed }) {
      return isPrinted(reply) ? jsonAnswer(502, { error: 'failed', config: print(sent) }) : usual
    },
  }
}

export function isUnanswered(reply: Failed): boolean {
  return reply === null
}
