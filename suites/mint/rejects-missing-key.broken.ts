import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

/** Mistakes of a mint, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['mint']>>> = {
  'mints for any request': { presentedKey: () => '', keyMatches: () => true },
  'mints where the header is missing': {
    presentedKey: ({ headers }) => (headers.authorization ?? '').replace(/^bearer +/i, ''),
    keyMatches: (presented, key) => presented === '' || presented === key,
  },
  'mints for an empty key': {
    presentedKey: ({ headers }) =>
      headers.authorization === undefined ? null : headers.authorization.replace(/^bearer *"*/i, ''),
    keyMatches: (presented, key) => key.endsWith(presented.replace(/"$/, '')),
  },
  'answers the error with a token': {
    refuse: async ({ status }, _, tools) =>
      jsonAnswer({ token: await tools.issueFreely('any-user') }, status),
  },
  'sends a token in a header of the error': {
    refuse: async ({ status }, _, tools) => {
      const answer = jsonAnswer({ error: 'no key' }, status)
      return {
        ...answer,
        headers: { ...answer.headers, 'x-calling-token': await tools.issueFreely('any-user') },
      }
    },
  },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (mint) => ({ mint })),
  'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'failed' }, 500) }, as: 'warn' },
  'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'forbidden' }, 403) }, as: 'warn' },
  'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no key' }) }, as: 'warn' },
}
