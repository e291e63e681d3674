import type { Catch } from '../../../src/requirement/define.ts'

type Mint = NonNullable<Catch['mint']>
type Asked = Parameters<NonNullable<Mint['answer']>>[1]

export function jsonAnswer(value: unknown, status = 200) {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

type Times = { readonly iat: number; readonly exp: number }
type Grant = Parameters<NonNullable<Mint['claims']>>[0]

export function claiming(claimsOf: (times: Times, grant: Grant) => object): Pick<Required<Mint>, 'claims'> {
  return {
    claims: (grant, { issuedAt: iat, expiresAt: exp }) => ({
      sub: grant.userId,
      iat,
      exp,
      ...claimsOf({ iat, exp }, grant),
    }),
  }
}

export function bearerOf(authorization = ''): string | null {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}

export function withHeader(name: string, valueFor: (request: Asked) => string): NonNullable<Mint['answer']> {
  return (answer, request) => ({ ...answer, headers: { ...answer.headers, [name]: valueFor(request) } })
}

export function refusing(status: number): Mint {
  return { refuse: () => jsonAnswer({ error: 'no' }, status) }
}

export const refusingWithToken: Mint = {
  refuse: async ({ status, message }, _, { issueFreely }) =>
    jsonAnswer({ error: message, token: await issueFreely('any-user') }, status),
}

export function changing(from: number, to: number): Mint {
  return { answer: (usual) => (usual.status === from ? jsonAnswer({ error: 'failed' }, to) : usual) }
}

/** A mint that returns a cached token for every request with a known `keyOf`. */
export function cacheTokens(keyOf: (grant: Grant) => string): Pick<Required<Mint>, 'success'> {
  // One variant may serve several mints in turn, so each has its own cache.
  const caches = new WeakMap<object, Map<string, string>>()
  return {
    success(token, grant, { signing }) {
      const cache = caches.get(signing) ?? new Map<string, string>()
      caches.set(signing, cache)
      const kept = cache.get(keyOf(grant)) ?? token
      cache.set(keyOf(grant), kept)
      return jsonAnswer({ token: kept })
    },
  }
}
