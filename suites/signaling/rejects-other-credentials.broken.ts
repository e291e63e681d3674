import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling } from '../lib/broken-rows.ts'
import { alsoTaking, asDeclared, earlyWelcomes, rememberingUsers } from './lib/variants.ts'

/** Signaling that asks neither for whom nor by whom a token was issued. */
const anyPurpose = { issuerHolds: () => true, audienceHolds: () => true }

const isKey = (credential: string | null) => credential?.startsWith('ac_live_') === true

export const broken: BrokenVariants = {
  ...ofSignaling({
    'takes any bearer': asDeclared((credential) => credential !== null),
    'lets servers join as any user': {
      ...asDeclared(isKey),
      joinsAs: (user, declared) => (user === 'guest' ? declared : user),
    },
    'lets servers join that state no user': {
      ...asDeclared(isKey),
      joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
    },
    'reads any JWT': { ...alsoTaking(() => true), ...anyPurpose },
    'takes any JWT of HS256 for one of its own': {
      ...alsoTaking(({ header }) => header['alg'] === 'HS256'),
      ...anyPurpose,
    },
    "takes the sessions of the customer's app": {
      ...asDeclared((credential) => credential !== null && !/[.]|^ac_/.test(credential)),
      joinsAs: (user, declared) => (user === 'guest' ? declared : user),
    },
  }),
  ...earlyWelcomes,
  'remembers who has joined, and takes any bearer for that user': rememberingUsers(),
}
