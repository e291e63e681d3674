import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

const bodies: Readonly<Record<string, (token: string) => object>> = {
  'answers a reference to the token': () => ({ id: crypto.randomUUID(), status: 'created' }),
  'answers a success without a token': () => ({ userId: 'usr_1' }),
  'answers the word undefined': () => ({ token: 'undefined' }),
  'puts the scheme before the token': (token) => ({ token: `Bearer ${token}` }),
}

export const broken: BrokenVariants = {
  'answers an opaque id': { mint: { token: () => `tok_${crypto.randomUUID()}` } },
  ...rows(bodies, (body) => ({ mint: { success: (token) => jsonAnswer(body(token)) } })),
}
