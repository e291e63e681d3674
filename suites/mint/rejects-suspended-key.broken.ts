import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'still mints': { mint: { admit: () => undefined } },
  'looks at the trial only': {
    mint: {
      admit: ({ state }) => {
        if (state === 'trial-ended') throw new Error('the trial has ended')
      },
    },
  },
  'refuses with a token': {
    mint: {
      refuse: async ({ status }, _, tools) =>
        jsonAnswer({ token: await tools.issueFreely('any-user') }, status),
    },
  },
  'answers 401': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) }, as: 'warn' },
  'answers 401 to a key whose state is not attested': {
    mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) },
    configuration: { mint: { keys: { suspended: { attested: false } } } },
    as: 'untested',
  },
  'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 500) }, as: 'warn' },
  'never answers': {
    mint: {
      answer: (answer) => (answer.status === 403 ? new Promise(() => undefined) : answer),
    },
    configuration: { limits: { requestSeconds: 1 } },
    as: 'error',
  },
}
