import type { BrokenVariants, Catch } from '../../../src/requirement/define.ts'
import { each } from '../../lib/broken-rows.ts'

type ClientVariant = NonNullable<NonNullable<Catch['client']>['variant']>

/** Pages of the reference app, each called as its variant. */
export function pages(variants: readonly ClientVariant[], common: Catch = {}): BrokenVariants {
  return each('*', variants, (variant) => ({ ...common, client: { variant } }))
}

/** Programs without a page. */
export function programs(variants: readonly ClientVariant[], common: Catch = {}): BrokenVariants {
  return each('a program, *', variants, (variant) => ({ ...common, client: { form: 'program', variant } }))
}
