import { createHmac } from 'node:crypto'
import { signInput } from '../../../src/base/tokens/sign-input.ts'
import type { Catch } from '../../../src/requirement/define.ts'

/** A mint that writes headers as Python does, and signaling that compares signatures as `isEqual` says. */
export function comparingUnderBlanks(isEqual: (given: Buffer, right: Buffer) => boolean): Catch {
  return {
    mint: {
      algorithm: 'HS256',
      token: (claims, header, { algorithm, secretKey }) => {
        const parts = [JSON.stringify(header).replaceAll('":"', '": "'), JSON.stringify(claims)]
        const input = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
        return signInput(input, { alg: algorithm, key: secretKey })
      },
    },
    signaling: {
      algorithms: ['HS256'],
      async signatureHolds({ header, signingInput, signature }, trust) {
        const key = await trust.key(header)
        if (!(key instanceof Uint8Array) || header['alg'] !== 'HS256') return false
        return isEqual(Buffer.from(signature), createHmac('sha256', key).update(signingInput).digest())
      },
    },
    configuration: { token: { jwks: null, signWith: null } },
  }
}
