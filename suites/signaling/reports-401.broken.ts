import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling, warning } from '../lib/broken-rows.ts'

export const broken: BrokenVariants = {
  ...warning(
    ofSignaling({
      'closes with 1008': { refuse: () => ({ by: 'close', code: 1008 }) },
      'closes as if it had failed itself': { refuse: () => ({ by: 'close', code: 1011 }) },
      'answers 400': { refuse: () => ({ by: 'http', status: 400 }) },
      'breaks the connection off': { refuse: () => ({ by: 'reset' }) },
      'sends an error without a number': {
        refuse: () => ({
          by: 'frame',
          text: '{"type":"error","error":{"message":"not allowed"}}',
          sign: { frame: { path: '$.type', equals: 'error' } },
          closeCode: 1000,
        }),
      },
      'says so of damaged tokens only': {
        refuse: (reason, announced) => (reason === 'expired' ? { by: 'close', code: 4000 } : announced),
      },
      'says so of expired tokens only': {
        refuse: (reason, announced) => (reason === 'expired' ? announced : { by: 'close', code: 4000 }),
      },
    }),
  ),
  'stays silent': {
    signaling: { refuse: () => ({ by: 'silence' }) },
    configuration: { signaling: { profile: { timeoutMs: 8_000 } } },
    as: 'warn',
  },
  'closes with 4401, which the profile does not list': {
    configuration: { signaling: { profile: { unauthorized: [{ close: [4001] }] } } },
    as: 'untested',
  },
}
