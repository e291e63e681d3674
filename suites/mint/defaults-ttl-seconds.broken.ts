import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofMint } from '../lib/broken-rows.ts'
import { claiming, jsonAnswer } from './lib/variant-answers.ts'

type Answer = ReturnType<NonNullable<NonNullable<Catch['mint']>['answer']>>

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
    'answers without a token': withoutTtl(() => jsonAnswer({ warning: 'ttlSeconds is missing' })),
  }),
  'issues a token for a month': { mint: { lifetime: (asked) => Number(asked ?? 2_592_000) }, as: 'warn' },
  'never answers': {
    mint: withoutTtl(() => new Promise(() => undefined)),
    configuration: { limits: { requestSeconds: 8 } },
  },
}

function withoutTtl(answer: () => Answer): NonNullable<Catch['mint']> {
  return { answer: (usual, { body }) => (body?.includes('ttlSeconds') === false ? answer() : usual) }
}
