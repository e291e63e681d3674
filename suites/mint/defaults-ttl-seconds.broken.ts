import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint } from '../lib/broken-rows.ts'
import { claiming } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  ...ofMint({
    'wants a ttl': {
      lifetime: (asked) => {
        if (typeof asked !== 'number') throw new Error('ttlSeconds is missing')
        return asked
      },
    },
    'issues a token without an end': claiming(({ exp }, { lifetimeSeconds }) => ({
      exp: lifetimeSeconds === 900 ? undefined : exp,
    })),
  }),
  'issues a token for a month': { mint: { lifetime: (asked) => Number(asked ?? 2_592_000) }, as: 'warn' },
  'never answers': {
    mint: {
      answer: (usual, { body }) =>
        body?.includes('ttlSeconds') === false ? new Promise(() => undefined) : usual,
    },
    configuration: { limits: { requestSeconds: 8 } },
  },
}
