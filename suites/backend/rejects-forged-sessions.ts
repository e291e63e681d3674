import { daySeconds } from '../../src/base/times.ts'
import { commonSecrets } from '../../src/base/tokens/common-secrets.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { findHmacSecret } from '../../src/base/tokens/find-hmac-secret.ts'
import { type Forgery, forged, type Original, takenApart, withClaims } from '../../src/base/tokens/forge.ts'
import { withKeyId } from '../../src/base/tokens/forge-headers.ts'
import { confused } from '../../src/base/tokens/forge-key-confusion.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { unsigned } from '../../src/base/tokens/forge-unsigned.ts'
import {
  createUntrustedSigner,
  forgeUntrusted,
  signAsUntrusted,
} from '../../src/base/tokens/forge-untrusted.ts'
import { loadJwks } from '../../src/base/tokens/jwks.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { offerRequest } from './lib/offer-request.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-20',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2.1'],
  basis: 'The backend rejects a sessionToken that is invalid: one that others have written is (4.2.1).',
  title: 'rejects forged JWT sessions',
  why: 'Where sessions are JWTs, only their signature tells one user from another: without it anyone can write a session for any user.',
  how: {
    does: [
      'Derives sessions from that of alice: unsigned ones, ones signed by HMAC with an empty key, with the published keys of the login (backend.sessionJwks), or by an untrusted key with or without a jwk header; ones with changed claims or signatures; and an expired session as it is and with a later exp.',
      'A forgery that equals the genuine session is not sent.',
      'Searches the secret of a session that is signed by HMAC offline in a list of common ones.',
    ],
    fails: ['A token for any of them, between two controls.'],
    warns: [
      'A token for the genuine session with a fourth part, empty or not: its signature covers the same bytes, and nothing of the part is read.',
      'A session signed by HMAC with a common secret.',
    ],
    untested: [
      'Does not apply to opaque sessions: BACK-02 judges them.',
      'Key confusion on sessions signed with a key pair, without backend.sessionJwks.',
    ],
  },
  mints: 4,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend } = parts
    const session = await backend.exactSession(backend.alice)
    const { token, userId } = session
    if (readToken(token) === null) return judge.notApplicable('sessions are not JWTs')
    const candidates = commonSecrets.map((secret) => ({ secret }))
    judge.advisory(findHmacSecret(token, candidates) === null, {
      saw: 'a session signed with a secret from lists of common ones',
      expected: 'a secret that cannot be guessed',
      fix: 'Sign sessions with at least 32 random bytes that are used for nothing else.',
    })
    const original = takenApart(token, userId)
    const forgeries = original === null ? tamperedParts(token, userId) : await forge(original, parts, judge)
    const cases: Forged[] = [...forgeries, ...fromExpired(parts)]
      .filter((one) => one.token !== token)
      .map(({ name, ...one }) => ({ ...one, name: `a session ${name}` }))
    await withShortLivedTokens(parts, () =>
      attack(judge, {
        control: () => backend.token(session),
        cases,
        of: 'for',
        send: ({ name, token: forgery }) => offerRequest(backend, { session: forgery, case: name }),
        breaches: [
          {
            level: 'must',
            saw: ({ hasToken }, { isLenient }) => (hasToken && isLenient !== true ? 'a token' : null),
            expected: 'every forged session rejected (4.2.1)',
            fix: 'Verify the signature with a fixed algorithm and key, and then the expiry.',
          },
          {
            level: 'advisory',
            saw: ({ hasToken }, { isLenient }) => (hasToken && isLenient === true ? 'a token' : null),
            expected: 'three parts and nothing behind them',
            fix: 'Reject a session that does not have exactly three parts.',
          },
        ],
      }),
    )
  },
})

/** A session; only the serialisation of a lenient one is malformed: to accept it warns. */
interface Forged extends Pick<Forgery, 'name' | 'token'> {
  readonly isLenient?: true | undefined
}

async function forge(
  original: Original,
  { backend, available, configuration, http }: CheckContext<'backend'>,
  judge: Judge,
): Promise<Forged[]> {
  const { alg } = original.header
  const otherUser = available('bob')?.userId ?? `${backend.alice.userId}-other`
  const signer = await createUntrustedSigner(alg)
  const source = configuration.backend?.sessionJwks
  const isSecret = typeof alg === 'string' && alg.startsWith('HS')
  if (source === undefined && !isSecret)
    judge.untested("needs backend.sessionJwks, the public keys of the customer's login, to try key confusion")
  const keys = source === undefined ? [] : await loadJwks(source, http, 'backend.sessionJwks')
  const forgeries = [
    ...unsigned(original),
    ...tampered(original, { otherUser }),
    ...withKeyId(original),
    ...(await forgeUntrusted(original, signer)),
    ...keys.slice(0, 3).flatMap((key) => confused(original, key)),
  ]
  const withOwnKey = await signAsUntrusted(original, signer, { header: { jwk: signer.publicJwk } })
  return [
    // Verifiers of stock libraries take a session apart by its dots, and read three parts.
    ...forgeries.map(({ isUnread, ...one }) => ({ ...one, isLenient: one.isLenient ?? isUnread })),
    { name: 'signed with a key that its own header carries', token: withOwnKey },
  ]
}

/** An expired session needs no forging; one that is only decoded is as good with another date. */
function fromExpired({ available, clock }: CheckContext<'backend'>): Forged[] {
  const expired = available('expiredSession')
  if (expired === undefined) return []
  const original = takenApart(expired, '')
  const asItIs = { name: 'that has expired', token: expired }
  if (original === null) return [asItIs]
  const later = withClaims(original, { exp: Math.floor(clock.wall() / 1000) + daySeconds })
  return [asItIs, { name: 'that has expired, with a later exp', token: forged(original, { payload: later }) }]
}
