import type { BrokenVariants } from '../../src/requirement/define.ts'
import { changing } from './lib/variant-answers.ts'

const failingAfter = (leewayFailSeconds: number) => ({ limits: { leewayWarnSeconds: 1, leewayFailSeconds } })

export const broken: BrokenVariants = {
  'never forgets a key': { mint: rememberKeys(Number.POSITIVE_INFINITY), configuration: failingAfter(2) },
  'forgets a key after a while': { mint: rememberKeys(4), configuration: failingAfter(6), as: 'warn' },
  'answers 200 with an error to a revoked key': { mint: changing(401, 200), as: 'warn' },
  'is overloaded when a key was revoked': {
    mint: changing(401, 503),
    configuration: failingAfter(2),
    as: 'error',
  },
}

/** A mint that serves a revoked key so many times more: by the suite's ladder, the last of four is after two seconds. */
function rememberKeys(times: number) {
  const left = new Map<string, number>()
  return {
    keyMatches(presented: string, key: string) {
      const more = left.get(presented)
      if (presented === key) left.set(key, times)
      else if (more !== undefined) left.set(presented, more - 1)
      return presented === key || (more ?? 0) > 0
    },
  }
}
