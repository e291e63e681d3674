import { ControlLost } from '../check/judge.ts'
import type { Backend } from './backend.ts'
import type { Mint } from './mint.ts'

/** Where a check gets a fresh calling token that signaling should accept. */
export interface CallingTokens {
  /** A fresh token: for a user of its own from the mint, for alice from the backend. */
  fresh(): Promise<{ readonly jwt: string; readonly userId: string; readonly exchange: string }>
}

export function tokensOfMint(mint: Mint, newUser: () => string): CallingTokens {
  const long = { ttlSeconds: Math.max(300, mint.minTtlSeconds) }
  let refusesLong = false
  return {
    async fresh() {
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
    },
  }
}

export function tokensOfBackend(backend: Backend): CallingTokens {
  return { fresh: () => backend.token() }
}
