import { ofMint, warning } from '../lib/broken-rows.ts'
import { jsonAnswer, refusing, refusingWithToken } from './lib/variant-answers.ts'

export const broken = {
  ...ofMint({
    'still mints': { admit: () => undefined },
    'mints when a lifetime is asked for': {
      answer: async (answer, { body }, tools) =>
        answer.status === 402 && body?.includes('ttlSeconds')
          ? jsonAnswer({ token: await tools.issueFreely('any-user') })
          : answer,
    },
    'refuses with a token': refusingWithToken,
  }),
  ...warning(ofMint({ 'answers 401': refusing(401), 'answers 200 with an error': refusing(200) })),
}
