import { ControlLost } from '../../base/inconclusive.ts'
import type { Mint } from '../mint/driver.ts'
import type { Backend } from './driver.ts'

export interface FreshToken {
  readonly jwt: string
  readonly userId: string
  readonly exchange: string
}

/** Where a check gets a fresh calling token that signaling should accept. */
export interface CallingTokens {
  /** A fresh token: for a user of its own from the mint, for alice from the backend. */
  fresh(): Promise<FreshToken>
  /** The same for a userId with capitals; null where there is none for such a user. */
  freshWithCapitals(): Promise<FreshToken | null>
}

function createMintTokens(mint: Mint, newUser: () => string, takesAnyId: boolean): CallingTokens {
  const long = { ttlSeconds: Math.max(300, mint.minTtlSeconds) }
  let refusesLong = false
  const fresh = async (): Promise<FreshToken> => {
    if (refusesLong) return await mint.token(newUser())
    try {
      return await mint.token(newUser(), long)
    } catch (error) {
      if (!(error instanceof ControlLost)) throw error
      // Limits on the lifetime are not specified: a service may refuse what it finds too long.
      const token = await mint.token(newUser())
      refusesLong = true
      return token
    }
  }
  return {
    fresh,
    async freshWithCapitals() {
      if (!takesAnyId) return null
      try {
        return await mint.token(newUser().toUpperCase(), refusesLong ? undefined : long)
      } catch (error) {
        // A mint may know its users, and none with capitals.
        if (error instanceof ControlLost) return null
        throw error
      }
    },
  }
}

function createBackendTokens(backend: Backend): CallingTokens {
  return {
    fresh: () => backend.token(),
    async freshWithCapitals() {
      const token = await backend.token()
      return /\p{Lu}/u.test(token.userId) ? token : null
    },
  }
}

/** Where tokens that signaling takes come from; the mint first, since it gives them for any user. */
export function createCallingTokens({
  mint,
  newUser,
  takesAnyId,
  backend,
}: {
  readonly mint: Mint | undefined
  readonly newUser: () => string
  /**
   * True where the mint issues tokens for an id in capitals as for any other. A mint that knows its users, or
   * UUIDs, need not do so.
   */
  readonly takesAnyId: boolean
  /** `undefined` as well where what it hands out is no real token. */
  readonly backend: Backend | undefined
}): CallingTokens | undefined {
  if (mint !== undefined) return createMintTokens(mint, newUser, takesAnyId)
  return backend === undefined ? undefined : createBackendTokens(backend)
}
