import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'takes anything in the shape of a JWT': {
    mint: { keyMatches: (presented, key) => presented === key || presented.split('.').length === 3 },
  },
  'takes the tokens that it issued itself': {
    mint: { keyMatches: (presented, key) => presented === key || claimsOf(presented).aud === 'calling' },
  },
  'takes whatever is no API key for a session': {
    mint: { keyMatches: (presented, key) => presented === key || !presented.startsWith('ac_live_') },
  },
  'takes opaque sessions': {
    mint: { keyMatches: (presented, key) => presented === key || !/^ac_live_|\./.test(presented) },
  },
}

function claimsOf(jwt: string): { readonly aud?: unknown } {
  try {
    return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return {}
  }
}
