import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'never forgets a key': {
    mint: rememberKeys(Number.POSITIVE_INFINITY),
    configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 2 } },
  },
  'forgets a key after a while': {
    mint: rememberKeys(4),
    configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 6 } },
    as: 'warn',
  },
  'answers 200 with an error to a revoked key': {
    mint: {
      answer: (usual) =>
        usual.status === 401 ? { status: 200, headers: {}, body: '{"error":"no such key"}' } : usual,
    },
    as: 'warn',
  },
  'is overloaded when a key was revoked': {
    mint: {
      answer: (usual) =>
        usual.status === 401 ? { status: 503, headers: {}, body: '{"error":"busy"}' } : usual,
    },
    configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 2 } },
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
