import { isRecord, type ReadToken, readToken } from './decode.ts'

export type TokenLikeness = ReturnType<typeof createTokenLikeness>

/** So many kinds of tokens a service has at most. */
const mostKinds = 20

/** Knows a service's tokens by those that it has seen: by format, algorithm, issuer and claims, as an issuer may have others. */
export function createTokenLikeness() {
  const known = new Map<string, ReadToken>()
  return {
    learn(jwt: string): void {
      const read = readToken(jwt)
      if (read !== null && known.size < mostKinds) known.set(kindOf(read), read)
    },
    /** Any token may be of the service while none has been learnt. */
    isAlike(jwt: string): boolean {
      if (known.size === 0) return true
      const read = readToken(jwt)
      return read !== null && [...known.values()].some((one) => isOfKind(read, one))
    },
  }
}

function kindOf({ format, header, claims }: ReadToken): string {
  return JSON.stringify([format, header['alg'], claims?.['iss'], Object.keys(claims ?? {}).sort()])
}

function isOfKind(read: ReadToken, known: ReadToken): boolean {
  const isSameIssuer = same(read.claims?.['iss'], known.claims?.['iss'])
  const names = Object.keys(known.claims ?? {})
  const shared = names.filter((name) => isRecord(read.claims) && Object.hasOwn(read.claims, name))
  return (
    read.format === known.format &&
    // A forged header does not make it another token.
    (same(read.header['alg'], known.header['alg']) || shared.length === names.length) &&
    isSameIssuer &&
    shared.length * 2 >= names.length
  )
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
