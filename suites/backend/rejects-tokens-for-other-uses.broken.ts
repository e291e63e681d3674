import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { alsoWithoutDouble, type Backend } from './lib/variants.ts'

export const broken: BrokenVariants = {
  'takes access tokens for any audience': taking(({ use }) => use === 'otherApp'),
  ...alsoWithoutDouble({ 'takes ID tokens': taking(({ use }) => use === 'idToken') }),
  'takes refresh tokens': taking(({ use }) => use === 'refreshToken'),
  'takes the ID tokens of users who were served before': takingAfterServed(),
}

type Records = Parameters<Backend['recall']>[1]
type OtherToken = NonNullable<ReturnType<Records['byOtherToken']['get']>>

function taking(isTaken: (token: OtherToken) => boolean): Catch {
  return {
    backend: {
      async recall(token, { byOtherToken }, usual) {
        const other = byOtherToken.get(token)
        return (await usual()) ?? (other !== undefined && isTaken(other) ? other : null)
      },
    },
  }
}

function takingAfterServed(): Catch {
  const served = new WeakMap<object, Set<string>>()
  return {
    backend: {
      async recall(token, records, usual) {
        const users = served.get(records) ?? new Set<string>()
        served.set(records, users)
        const session = await usual()
        if (session !== null) users.add(session.userId)
        const other = records.byOtherToken.get(token)
        return session ?? (other?.use === 'idToken' && users.has(other.userId) ? other : null)
      },
    },
  }
}
