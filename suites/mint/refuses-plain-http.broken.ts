import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'mints over http as well': { mint: { door: { tls: true, plain: true } }, as: 'warn' },
}
