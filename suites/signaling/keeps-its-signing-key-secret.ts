import type { JWK } from 'jose'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { commonSecrets } from '../../src/base/tokens/common-secrets.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { findHmacSecret, hmacHashOf } from '../../src/base/tokens/find-hmac-secret.ts'
import { base64url, encodedJson } from '../../src/base/tokens/forge.ts'
import { hmacSigned } from '../../src/base/tokens/sign-input.ts'
import { serverKeys } from '../../src/configuration/register-secrets.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CommonContext } from '../../src/requirement/needs.ts'
import { listSessions } from '../../src/roles/backend/configuration.ts'

export default defineCheck({
  id: 'SIG-29',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['1.3'],
  title: 'signs with a key that cannot be guessed or read',
  why: 'A token that is signed with a shared secret can be searched offline: guessing the secret, or reading a private key, is enough to sign tokens for any user.',
  how: {
    does: [
      'Takes one calling token signed with HS256, HS384 or HS512 and tries about 400 common secrets, the API keys and sessions that the suite was given, and the values that the token itself states, each as text, base64, hexadecimal and digest.',
      'Nothing is sent.',
      'A token that the suite signs with a common secret is the control.',
    ],
    fails: ['A private part of a key in the key set at token.jwks, where that is an address.'],
    warns: ['A match.'],
    untested: ['Does not apply without a shared secret and without such an address.'],
  },
  mints: 1,
  needs: ['callingTokens'],
  drives: [],
  async run({ callingTokens, configuration, available }, judge) {
    const published = configuration.token.jwks?.includes('://') === true ? available('jwks') : undefined
    if (published !== undefined) judgePublished(await published(), judge)
    const { jwt, userId, exchange } = await callingTokens.fresh()
    if (hmacHashOf(jwt) === null) {
      if (published === undefined) judge.notApplicable('tokens are not signed with a shared secret')
      return
    }
    const candidates = listCandidates(configuration, jwt, userId)
    const known = signHs256({}, { sub: userId }, 'your-256-bit-secret')
    if (findHmacSecret(known, candidates) === null)
      throw new ControlLost('a token that was signed with a common secret was not recognised')
    const found = findHmacSecret(jwt, candidates)
    judge.advisory(found === null, {
      saw: `a calling token signed with ${found?.what}`,
      expected: 'a secret that cannot be guessed (1.3)',
      fix: 'Sign with at least 32 random bytes that are used for nothing else, or with a private key.',
      evidence: [exchange],
    })
  },
})

/** The members of a JWK that are private, or the secret itself (RFC 7518, section 6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

function judgePublished(keys: readonly JWK[], judge: Judge): void {
  const isOpen = (key: JWK) => privateMembers.filter((member) => member in key)
  const open = keys.filter((key) => isOpen(key).length > 0)
  judge.must(open.length === 0, {
    saw: `${open.length} of ${keys.length} published keys with ${[...new Set(open.flatMap(isOpen))].join(', ')}, which are private`,
    expected: 'public parts of keys only (1.3)',
    fix: 'Publish public keys only, and replace the signing key: it is known.',
  })
}

/**
 * Common secrets, those that the suite was given, and every text in header and claims: identifiers are no secrets. Each has the
 * words that tell a reader what it is without showing it.
 */
function listCandidates(configuration: CommonContext['configuration'], jwt: string, userId: string) {
  const keys = serverKeys(configuration).flatMap((key) => [key, key.replace(/^ac_live_/i, '')])
  const sessions = listSessions(configuration.backend?.sessions ?? {})
  const read = readToken(jwt)
  const stated = Object.entries({ ...read?.claims, ...read?.header, userId })
  const candidates: (readonly [secret: unknown, what: string])[] = [
    ...commonSecrets.map((secret) => [secret, `a common secret of ${secret.length} characters`] as const),
    ...keys.map((key) => [key, 'an API key as the secret'] as const),
    ...sessions.map(({ token }) => [token, 'a sessionToken as the secret'] as const),
    [configuration.name, 'the name of the configuration as the secret'],
    ...stated.map(([name, value]) => [value, `the value of ${name} as the secret`] as const),
  ]
  return candidates.flatMap(([secret, what]) =>
    typeof secret === 'string' && secret !== '' ? [{ secret, what }] : [],
  )
}

export function signHs256(header: object, claims: unknown, secret: string | Uint8Array): string {
  const parts = [{ ...header, alg: 'HS256' }, claims].map((part) => base64url(encodedJson(part)))
  return hmacSigned(parts.join('.'), 'HS256', secret)
}
