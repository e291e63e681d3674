import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'answers an opaque id': { mint: { token: () => `tok_${crypto.randomUUID()}` } },
  'answers a reference to the token': {
    mint: { success: () => jsonAnswer({ id: crypto.randomUUID(), status: 'created' }) },
  },
  'answers a success without a token': { mint: { success: (_, { userId }) => jsonAnswer({ userId }) } },
  'answers null as the token': { mint: { success: () => jsonAnswer({ token: null }) } },
  'answers an empty token': { mint: { success: () => jsonAnswer({ token: '' }) } },
  'answers an empty body': { mint: { success: () => jsonAnswer({}) } },
  'answers the word undefined': { mint: { success: () => jsonAnswer({ token: 'undefined' }) } },
  'answers an error with a success status': {
    mint: { success: () => jsonAnswer({ error: { code: 'internal', message: 'try again' } }) },
  },
  'puts the scheme before the token': {
    mint: { success: (token) => jsonAnswer({ token: `Bearer ${token}` }) },
  },
}
