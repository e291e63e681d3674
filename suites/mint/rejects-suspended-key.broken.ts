import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'
import { refusing, refusingWithToken } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  ...ofMint({
    'still mints': { admit: () => undefined },
    'refuses with a token': refusingWithToken,
  }),
  ...warning(ofMint({ 'answers 401': refusing(401), 'answers 500': refusing(500) })),
  'answers 401 to a key whose state is not attested': {
    mint: refusing(401),
    configuration: { mint: { keys: { suspended: { attested: false } } } },
    as: 'untested',
  },
  'never answers': {
    mint: { answer: (answer) => (answer.status === 403 ? new Promise(() => undefined) : answer) },
    configuration: { limits: { requestSeconds: 1 } },
    as: 'error',
  },
}
