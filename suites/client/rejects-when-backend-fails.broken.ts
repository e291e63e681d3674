import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages, programs } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages([
    'status unchecked',
    'empty token when the backend fails',
    'body as token',
    'connected when the backend fails',
  ]),
  ...programs(['status unchecked']),
  ...pages(['swallows failures of the backend'], {
    configuration: { limits: { clientSettleSeconds: 6 } },
    as: 'warn',
  }),
  'no deadline': {
    client: { variant: 'no deadline for the backend' },
    configuration: { limits: { clientSettleSeconds: 6, neverSeconds: 12 } },
  },
  'a deadline that is far': {
    client: { variant: 'no deadline for the backend' },
    configuration: { limits: { clientSettleSeconds: 6 } },
    as: 'warn',
  },
}
