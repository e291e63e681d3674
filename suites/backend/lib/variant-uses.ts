import type { Policies } from '../../../src/requirement/define.ts'

type Backend = Policies['backend']
type Records = Parameters<Backend['recall']>[1]
type OtherToken = NonNullable<ReturnType<Records['byOtherToken']['get']>>

/** A backend that takes some tokens of its login that are no sessions. */
export function taking(isTaken: (token: OtherToken) => boolean): Pick<Backend, 'recall'> {
  return {
    async recall(token, { byOtherToken }, usual) {
      const other = byOtherToken.get(token)
      return (await usual()) ?? (other !== undefined && isTaken(other) ? other : null)
    },
  }
}

/** A backend that remembers whom it served, and takes such tokens of theirs. */
export function takingAfterServed(isTaken: (token: OtherToken) => boolean): Pick<Backend, 'recall'> {
  const served = new WeakMap<object, Set<string>>()
  return {
    async recall(token, records, usual) {
      const users = served.get(records) ?? new Set<string>()
      served.set(records, users)
      const session = await usual()
      if (session !== null) users.add(session.userId)
      const other = records.byOtherToken.get(token)
      return session ?? (other !== undefined && isTaken(other) && users.has(other.userId) ? other : null)
    },
  }
}
