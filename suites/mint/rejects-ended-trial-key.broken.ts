import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'still mints': { mint: { admit: () => undefined } },
  'mints when a lifetime is asked for': {
    mint: {
      answer: async (answer, { body }, tools) =>
        answer.status === 402 && body?.includes('ttlSeconds')
          ? jsonAnswer({ token: await tools.issueFreely('any-user') })
          : answer,
    },
  },
  'refuses with a token': {
    mint: {
      refuse: async ({ status }, _, tools) =>
        jsonAnswer({ token: await tools.issueFreely('any-user') }, status),
    },
  },
  'answers 401': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) }, as: 'warn' },
  'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 403) }, as: 'warn' },
  'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no' }) }, as: 'warn' },
}
