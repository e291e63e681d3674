import { ofMint } from '../lib/broken-rows.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const broken = ofMint({
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
  'signs a list of claims': {
    token: (claims, header) => `${encoded(header)}.${encoded(Object.values(claims))}.c2lnbmVk`,
  },
  'names no algorithm': { token: (claims) => `${encoded({ typ: 'JWT' })}.${encoded(claims)}.c2lnbmVk` },
})
