import { readToken } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

const taken: Readonly<Record<string, (presented: string) => boolean>> = {
  'takes anything in the shape of a JWT': (presented) => presented.split('.').length === 3,
  'takes the tokens that it issued itself': (presented) =>
    readToken(presented)?.claims?.['aud'] === 'calling',
  'takes whatever is no API key for a session': (presented) => !presented.startsWith('ac_live_'),
  'takes opaque sessions': (presented) => !/^ac_live_|\./.test(presented),
}

export const broken: BrokenVariants = rows(taken, (isTaken) => ({
  mint: { keyMatches: (presented, key) => presented === key || isTaken(presented) },
}))
