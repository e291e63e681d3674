import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

const failed = jsonAnswer({ error: 'failed' }, 500)

export const broken: BrokenVariants = {
  'crashes for a ttlSeconds that is no number': {
    mint: {
      answer: (usual, { body }) => (/"ttlSeconds":[^\d-]/.test(body ?? '') ? failed : usual),
    },
    as: 'warn',
  },
  'fails for every request': { mint: { answer: () => failed }, as: 'error' },
}
