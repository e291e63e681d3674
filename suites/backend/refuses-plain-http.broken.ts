import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variants.ts'

export const broken: BrokenVariants = {
  'serves the route over http as well': {
    backend: { door: { tls: true, plain: true } },
    as: 'warn',
  },
  'speaks TLS 1.1': {
    backend: {
      door: { tls: true, options: { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } },
    },
    as: 'warn',
  },
  'serves http, and hides it from made-up sessions only by its words': {
    backend: {
      door: { tls: true, plain: true },
      refuseSession: () => jsonAnswer(401, { error: Math.random() }),
    },
    as: 'warn',
  },
}
