import type { BrokenVariants } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import type { Backend } from './lib/variants.ts'

const isUnexpired: Backend['isLive'] = ({ expiresAt }, now) => now < expiresAt

export const broken: BrokenVariants = {
  ...warning({
    'never ends a session that was signed out': { backend: { isLive: isUnexpired } },
    'never ends a session that was signed out, and asks for lifetimes that the mint rejects': {
      backend: { isLive: isUnexpired, ttlSeconds: () => '15m' },
    },
    'tells the sign-out to one of two nodes': { backend: forgetOnEverySecondLook() },
    'signs out every device of the user': {
      backend: {
        isLive: ({ expiresAt, userId }, now, { byToken, signedOut }) => {
          // The reference starts with a session that was signed out before.
          const [, ...ended] = signedOut
          return (
            now < expiresAt &&
            [...byToken.values()].every((one) => one.userId !== userId || !ended.includes(one.id))
          )
        },
      },
    },
  }),
  'is overloaded when a session was signed out': {
    backend: { refuseSession: (usual) => ({ ...usual, status: 503 }) },
    as: 'error',
  },
}

function forgetOnEverySecondLook(): Pick<Backend, 'isLive'> {
  let looks = 0
  return {
    isLive({ id, expiresAt }, now, { signedOut }) {
      const isSignedOut = signedOut.has(id)
      if (isSignedOut) looks += 1
      return now < expiresAt && (!isSignedOut || looks % 2 === 0)
    },
  }
}
