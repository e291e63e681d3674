import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'mints past the cap': { mint: { admit: () => undefined } },
  'refuses every other time only': { mint: everyOther() },
  'refuses with a token': {
    mint: {
      refuse: async ({ status }, _, tools) =>
        jsonAnswer({ jwt: await tools.issueFreely('any-user') }, status),
    },
  },
  'refuses an unattested key with a token': {
    mint: {
      refuse: async ({ status }, _, tools) =>
        jsonAnswer({ error: 'capped', token: await tools.issueFreely('any-user') }, status),
    },
    configuration: { mint: { keys: { capped: { attested: false } } } },
  },
  'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 403) }, as: 'warn' },
  'answers 503': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 503) }, as: 'warn' },
}

function everyOther() {
  let count = 0
  return {
    admit({ remainingMints }: { readonly remainingMints: number | null }) {
      if (remainingMints !== 0) return
      count += 1
      if (count % 2 === 1) throw new Error('the cap is reached')
    },
  }
}
