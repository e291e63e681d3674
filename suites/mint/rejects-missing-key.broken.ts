import { ofMint, warning } from '../lib/broken-rows.ts'
import { jsonAnswer, refusing, refusingWithToken } from './lib/variant-answers.ts'

export const broken = {
  ...ofMint({
    'mints for any request': { presentedKey: () => '', keyMatches: () => true },
    'mints for an empty key': {
      presentedKey: ({ headers }) => headers.authorization?.replace(/^bearer *"*/i, '') ?? null,
      keyMatches: (presented, key) => key.endsWith(presented.replace(/"$/, '')),
    },
    'answers the error with a token': refusingWithToken,
    'sends a token in a header of the error': {
      async refuse({ status }, _, { issueFreely }) {
        const { headers, ...answer } = jsonAnswer({ error: 'no key' }, status)
        return { ...answer, headers: { ...headers, 'x-calling-token': await issueFreely('any-user') } }
      },
    },
  }),
  ...warning(ofMint({ 'answers 500': refusing(500), 'answers 200 with an error': refusing(200) })),
}
