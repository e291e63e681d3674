import { warning } from '../lib/broken-rows.ts'
import { backends, jsonAnswer } from './lib/variants.ts'

export const broken = warning(
  backends({
    'serves the route over http as well': { door: { tls: true, plain: true } },
    'speaks TLS 1.1': {
      door: { tls: true, options: { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } },
    },
    'serves http, and hides it from made-up sessions only by its words': {
      door: { tls: true, plain: true },
      refuseSession: () => jsonAnswer(401, { error: Math.random() }),
    },
  }),
)
