import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint, warning } from '../lib/broken-rows.ts'
import { refusing, refusingWithToken } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  ...ofMint({
    'mints past the cap': { admit: () => undefined },
    'refuses with a token': refusingWithToken,
  }),
  'refuses an unattested key with a token': {
    mint: refusingWithToken,
    configuration: { mint: { keys: { capped: { attested: false } } } },
  },
  ...warning(ofMint({ 'answers 403': refusing(403), 'answers 503': refusing(503) })),
}
