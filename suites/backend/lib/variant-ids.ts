import type { Catch, Policies } from '../../../src/requirement/define.ts'

type Backend = Policies['backend']

/** A backend that changes ids before it mints. */
export function changingIds(change: (userId: string) => string): Pick<Backend, 'userId'> {
  return { userId: ({ userId }) => change(userId) }
}

/** A backend that puts the body of its mint call together itself. */
export function writingBody(
  write: (userId: string, ttlSeconds: unknown) => string,
): Pick<Backend, 'mintCall'> {
  return {
    mintCall: (usual, { order }) => ({ ...usual, body: write(String(order.userId), order.ttlSeconds) }),
  }
}

/** A cache of tokens that takes ids for the same where `keyOf` does. */
export function keepingTokensBy(keyOf: (userId: string) => string): Pick<Backend, 'tokenFor'> {
  return {
    tokenFor(userId, { kept, mint }) {
      const key = keyOf(userId)
      const minted = kept.get(key) ?? mint(userId)
      kept.set(key, minted)
      return minted
    },
  }
}

export const foreignId = 'acme|Zoë'

/** A backend where the id of alice has a letter outside ASCII, which it garbles; no user is listed as odd. */
export function garblingAlice(change: (userId: string) => string, policy: Partial<Backend> = {}): Catch {
  const alice = { userId: foreignId }
  return {
    backend: { ...policy, ...changingIds((id) => (id === 'u-Alice' ? change(foreignId) : id)) },
    configuration: { backend: { sessions: { alice, aliceSecondDevice: alice, odd: null } } },
  }
}
