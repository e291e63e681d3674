import { ofMint } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const broken = ofMint({
  'issues random hex': { token: () => crypto.randomUUID().replaceAll('-', '').repeat(3) },
  'issues a token of another kind': { token: (claims) => `v4.public.${encoded(claims)}${'A'.repeat(86)}` },
  'issues the claims without an envelope': { token: (claims) => encoded(claims) },
  'issues a header that is no JSON': {
    token: (claims) => `${Buffer.from('ES256').toString('base64url')}.${encoded(claims)}.c2lnbmVk`,
  },
  'issues a token in two parts': { token: (claims, header) => `${encoded(header)}.${encoded(claims)}` },
  'issues an unsigned token': {
    token: (claims) => `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`,
  },
  'issues a token without its signature': {
    token: (claims, header) => `${encoded(header)}.${encoded(claims)}.`,
  },
  'signs the bare userId': {
    token: ({ sub }, header) =>
      `${encoded(header)}.${Buffer.from(String(sub)).toString('base64url')}.c2lnbmVk`,
  },
  'signs a list of claims': {
    token: (claims, header) => `${encoded(header)}.${encoded(Object.values(claims))}.c2lnbmVk`,
  },
  'names no algorithm': { token: (claims) => `${encoded({ typ: 'JWT' })}.${encoded(claims)}.c2lnbmVk` },
  'issues plain base64': {
    success: (token) => jsonAnswer({ token: token.replaceAll('.', '=.').replace(/$/, '=') }),
  },
})
