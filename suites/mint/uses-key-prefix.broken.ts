import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'gives keys another prefix': { configuration: { mint: { apiKey: 'sk_live_0123456789abcdefghij' } } },
  'writes the prefix in upper case': {
    configuration: { mint: { apiKey: 'AC_LIVE_0123456789ABCDEFGHIJ' } },
  },
  'gives keys no prefix': { configuration: { mint: { apiKey: '0123456789abcdefghijklmnopqrst' } } },
  'gives test keys to other projects': {
    configuration: { mint: { otherProjectKey: 'ac_test_0123456789abcdefghij' } },
  },
}
