import { jsonAnswer } from './variant-answers.ts'

/** The part of a grant that broken caches use as a key. */
interface Granted {
  readonly userId: string
  readonly lifetimeSeconds: number
  readonly project: { readonly id: string }
}

/** Hooks of a mint that returns a cached token for every request with a known `keyOf`. */
export function cacheTokens(keyOf: (grant: Granted) => string) {
  // One variant may serve several mints in turn, so each has its own cache.
  const caches = new WeakMap<object, Map<string, string>>()
  return {
    success(token: string, grant: Granted, { signing }: { readonly signing: object }) {
      const cache = caches.get(signing) ?? new Map<string, string>()
      caches.set(signing, cache)
      const kept = cache.get(keyOf(grant)) ?? token
      cache.set(keyOf(grant), kept)
      return jsonAnswer({ token: kept })
    },
  }
}
