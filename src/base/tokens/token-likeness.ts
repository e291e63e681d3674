import { isRecord, type ReadToken, readToken } from './decode.ts'

/** Knows a service's tokens from any other text in the form of a JWT, by those that it has seen. */
export interface TokenLikeness {
  /** A token that the service has issued. */
  learn(jwt: string): void
  /** Says whether a token may be of the same service. Any token may while none has been learnt. */
  isAlike(jwt: string): boolean
}

/** So many kinds of tokens a service has at most. */
const mostKinds = 20

/** A token is alike one of the same format, algorithm, issuer and claims; an issuer may have many other tokens. */
export function createTokenLikeness(): TokenLikeness {
  const known = new Map<string, ReadToken>()
  return {
    learn(jwt) {
      const read = readToken(jwt)
      if (read !== null && known.size < mostKinds) known.set(kindOf(read), read)
    },
    isAlike(jwt) {
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
