import { rows } from '../lib/broken-rows.ts'

export const broken = rows(
  {
    'gives keys another prefix': { apiKey: 'sk_live_0123456789abcdefghij' },
    'writes the prefix in upper case': { apiKey: 'AC_LIVE_0123456789ABCDEFGHIJ' },
    'gives test keys to other projects': { otherProjectKey: 'ac_test_0123456789abcdefghij' },
  },
  (mint) => ({ configuration: { mint } }),
)
