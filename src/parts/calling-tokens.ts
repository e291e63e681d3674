import type { Backend } from './backend.ts'
import type { Mint } from './mint.ts'

/** Where a check gets a fresh calling token that signaling should accept. */
export interface CallingTokens {
  /** A fresh token: for a user of its own from the mint, for alice from the backend. */
  fresh(): Promise<{ readonly jwt: string; readonly userId: string; readonly exchange: string }>
}

export function tokensOfMint(mint: Mint, newUser: () => string): CallingTokens {
  return { fresh: () => mint.token(newUser(), { ttlSeconds: Math.max(300, mint.minTtlSeconds) }) }
}

export function tokensOfBackend(backend: Backend): CallingTokens {
  return { fresh: () => backend.token() }
}
