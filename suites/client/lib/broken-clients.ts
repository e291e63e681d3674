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

const frame = { frame: { path: '$.error.code', equals: 401 } }

/** Signaling that reports an end of the token in a frame alone. */
export const frameAlone = { signaling: { profile: { failure: [frame], unauthorized: [frame] } } }

/** Signaling that reports an end of the token in a frame, and closes then. */
export const frameBeforeClose = {
  signaling: {
    profile: {
      unauthorized: [{ close: [4401] }, frame],
      samples: { unauthorized: '{"error":{"code":401,"message":"the token has expired"}}' },
    },
  },
}
