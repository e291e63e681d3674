import { decodeJwt } from 'jose'
import { readToken } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { type Signaling, subjectOf } from './lib/variants.ts'

export const broken: BrokenVariants = {
  'bans a user after an expired token': { signaling: banningExpired() },
  'bans a user after an expired token, and its key is not known': {
    signaling: banningExpired(),
    configuration: { token: { signWith: null } },
  },
  'bans a user after a failure': {
    signaling: { banKey: subjectOf },
  },
  'bans the user whom a forged token names': { signaling: banningForged() },
  'bans everybody after a failure': {
    signaling: { banKey: () => 'everybody' },
    configuration: { limits: { patienceSeconds: 1 } },
    // Also what a protection against brute force does to our address.
    as: 'error',
  },
}

/** Signaling that locks out whom an expired token speaks for. */
function banningExpired(): Signaling {
  const banned = new Set<string>()
  return {
    banKey(credential) {
      const user = subjectOf(credential) ?? ''
      if (Number(readToken(credential)?.claims?.['exp']) < Date.now() / 1000) banned.add(user)
      return banned.has(user) ? user : null
    },
  }
}

/** Signaling that locks out whom a token names that is in order but for its signature. */
function banningForged(): Signaling {
  const banned = new Set<string>()
  return {
    async signatureHolds({ token }, _, usual) {
      const { sub = '', iss, aud } = decodeJwt(token)
      if (await usual()) return !banned.has(sub)
      if (iss !== undefined && aud === 'calling') banned.add(sub)
      return false
    },
  }
}
