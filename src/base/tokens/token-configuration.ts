import { z } from 'zod'
import * as leaf from '../schema/leaves.ts'

export const asymmetric = z.enum(
  ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  { error: 'RS, PS or ES with 256, 384 or 512, or EdDSA or Ed25519, beside a privateKey' },
)
const symmetric = z.enum(['HS256', 'HS384', 'HS512'], { error: 'HS256, HS384 or HS512 beside a secret' })

const fieldText = 'auto or a JSONPath such as $.data.token'
const claimText = 'auto, the name of a claim, or a JSONPath such as $.user.id'

export const tokens = z.strictObject(
  {
    field: leaf
      .text(fieldText, (value) => value === 'auto' || leaf.isJsonPath(value))
      .default('auto')
      .describe("Where the token is in the mint's body: auto or a JSONPath"),
    userIdClaim: leaf
      .text(claimText, (value) => value.trim() !== '' && (!value.startsWith('$') || leaf.isJsonPath(value)))
      .default('auto')
      .describe('Where the userId is in the token: auto, a claim name, or a JSONPath'),
    jwks: leaf.keySet.optional().describe("The service's public keys: a URL or a file"),
    signWith: z
      .union(
        [
          z.strictObject({
            alg: asymmetric,
            privateKey: leaf.path('the path of a PEM or JWK file').describe('A PKCS#8 PEM or JWK file'),
          }),
          z.strictObject({ alg: symmetric, secret: leaf.credential('secret').describe('The shared secret') }),
        ],
        { error: '{ alg: …, privateKey: … } or { alg: …, secret: … }' },
      )
      .optional()
      .describe('A key that a test deployment of signaling trusts'),
  },
  { error: 'a mapping' },
)

/** Where the calling token and its userId are found, and a key that signs others: an absolute path, or a secret. */
export type TokenConfiguration = leaf.Output<typeof tokens>
