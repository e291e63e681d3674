import { createHmac, type KeyObject } from 'node:crypto'
import { commonSecrets } from '../../src/base/tokens/common-secrets.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { findHmacSecret } from '../../src/base/tokens/find-hmac-secret.ts'
import { forged, type Original, takenApart, withClaims } from '../../src/base/tokens/forge.ts'
import { withKeyId } from '../../src/base/tokens/forge-headers.ts'
import { confused } from '../../src/base/tokens/forge-key-confusion.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { unsigned } from '../../src/base/tokens/forge-unsigned.ts'
import {
  createUntrustedSigner,
  forgeUntrusted,
  signAsUntrusted,
  type UntrustedSigner,
} from '../../src/base/tokens/forge-untrusted.ts'
import { loadJwks } from '../../src/base/tokens/jwks.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { mustGetToken, type Offered, offerRequest } from './lib/offer-request.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

const daySeconds = 86_400
/** So many at a time: a login may limit attempts. */
const atOnce = 8
const namedAtMost = 6

export default defineCheck({
  id: 'BACK-20',
  role: 'backend',
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
    if (readToken(backend.alice.token) === null) return judge.notApplicable('sessions are not JWTs')
    const alice = { token: await backend.exactSession(backend.alice), userId: backend.alice.userId }
    const read = readToken(alice.token)
    if (read === null) return judge.notApplicable('sessions are not JWTs')
    judgeSecret(alice.token, judge)
    const original = takenApart(alice.token, alice.userId)
    const forged = original === null ? fromEncrypted(alice) : await forge(original, parts, judge)
    const forgeries = [...forged, ...fromExpired(parts)].filter(({ session }) => session !== alice.token)
    await withShortLivedTokens(parts, () =>
      judge.sandwich(
        () => mustGetToken(backend, { session: alice.token }, "alice's session"),
        async () => {
          const tried: Tried[] = []
          for (let start = 0; start < forgeries.length; start += atOnce)
            tried.push(
              ...(await Promise.all(
                forgeries.slice(start, start + atOnce).map(async ({ name, session, isLenient }) => ({
                  name,
                  isLenient,
                  ...(await offerRequest(backend, { session, case: name })),
                })),
              )),
            )
          judgeForgeries(judge, tried)
        },
      ),
    )
  },
  catches: {
    'decodes sessions without verifying them': {
      backend: { sessionForm: 'signed', recall: (token) => decodedSession(token) },
    },
    'signs sessions with the secret of a tutorial': {
      backend: {
        sessionForm: 'signed',
        sessionSecret: new TextEncoder().encode('a-string-secret-at-least-256-bits-long'),
      },
      as: 'warn',
    },
    'takes unsigned sessions': forgiving('signed', ({ alg }) => alg === 'none'),
    'takes None for unsigned': forgiving('signed', ({ alg }) => alg === 'None'),
    'takes sessions without an algorithm': forgiving('signed', ({ alg }) => alg === undefined),
    'takes a key from the header': forgiving('signed-in-public', ({ jwk }) => jwk !== undefined),
    'takes an unknown key id for a key that is empty': forgiving(
      'signed',
      ({ kid, alg }) => alg === 'HS256' && typeof kid === 'string',
    ),
    'takes its public key for a secret': confuse((key) => key.export({ type: 'spki', format: 'pem' })),
    'takes its public key as DER for a secret': confuse((key) => key.export({ type: 'spki', format: 'der' })),
    'takes expired sessions': {
      backend: { sessionForm: 'signed', isLive: ({ id }, _, { signedOut }) => !signedOut.has(id) },
    },
    'ignores empty parts behind the third': {
      backend: {
        sessionForm: 'signed',
        presentedSession: ({ headers }) =>
          /^bearer +(\S+?)\.*$/i.exec(headers.authorization ?? '')?.[1] ?? null,
      },
      as: 'warn',
    },
    'verifies nothing when the session is longer': {
      backend: {
        sessionForm: 'signed',
        recall: async (token, _, usual) =>
          (await usual()) ?? (token.split('.').length > 3 ? decodedSession(token) : null),
      },
    },
    'verifies only the beginning of the signature': {
      backend: {
        sessionForm: 'signed',
        recall: (token, { secret }) => {
          const at = token.lastIndexOf('.')
          const signature = createHmac('sha256', secret).update(token.slice(0, at)).digest()
          const given = Buffer.from(token.slice(at + 1), 'base64url')
          return given.length > 0 && given.equals(signature.subarray(0, given.length))
            ? decodedSession(token)
            : null
        },
      },
    },
  },
})

/** Nothing is sent. */
function judgeSecret(session: string, judge: Judge): void {
  const candidates = commonSecrets.map((secret) => ({ secret }))
  judge.advisory(findHmacSecret(session, candidates) === null, {
    saw: 'a session signed with a secret from lists of common ones',
    expected: 'a secret that cannot be guessed',
    fix: 'Sign sessions with at least 32 random bytes that are used for nothing else.',
  })
}

interface Forged {
  /** Completes "a session …". */
  readonly name: string
  readonly session: string
  /** Only the serialisation is malformed: to accept it warns. */
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
  return [
    // Verifiers of stock libraries take a session apart by its dots, and read three parts.
    ...forgeries.map(({ name, token, isLenient, isUnread }) => ({
      name,
      session: token,
      isLenient: isLenient ?? isUnread,
    })),
    await withOwnKey(original, signer),
  ]
}

async function withOwnKey(original: Original, signer: UntrustedSigner): Promise<Forged> {
  const session = await signAsUntrusted(original, signer, { header: { jwk: signer.publicJwk } })
  return { name: 'signed with a key that its own header carries', session }
}

function fromEncrypted({ token, userId }: { readonly token: string; readonly userId: string }): Forged[] {
  return tamperedParts(token, userId).map(({ name, token: session }) => ({ name, session }))
}

/** An expired session needs no forging; one that is only decoded is as good with another date. */
function fromExpired({ available, clock }: CheckContext<'backend'>): Forged[] {
  const expired = available('expiredSession')
  if (expired === undefined) return []
  const original = takenApart(expired, '')
  const asItIs = { name: 'that has expired', session: expired }
  if (original === null) return [asItIs]
  const exp = Math.floor(clock.wall() / 1000) + daySeconds
  const later = withClaims(original, { exp })
  return [
    asItIs,
    {
      name: 'that has expired, with a later exp',
      session: forged(original, { payload: later }),
    },
  ]
}

type Tried = Offered & Pick<Forged, 'name' | 'isLenient'>

function judgeForgeries(judge: Judge, tried: readonly Tried[]): void {
  const undecided = tried.filter(({ isUndecided }) => isUndecided)
  const served = tried.filter(({ hasToken, isLenient }) => hasToken && isLenient !== true)
  const lenient = tried.filter(({ hasToken, isLenient }) => hasToken && isLenient === true)
  if (undecided.length > 0)
    judge.undecided(
      `no rejection, but a rate limit, a gateway error or no response for ${listNames(undecided.map(({ name }) => `a session ${name}`))}`,
      undecided.map(({ reply }) => reply.exchange),
    )
  if (undecided.length === tried.length) return
  judge.must(served.length === 0, {
    saw: `a token for ${served.length} of ${tried.length} forged sessions: ${listNames(served.map(({ name }) => `a session ${name}`))}`,
    expected: 'every one of them rejected (4.2.1)',
    fix: 'Verify the signature with a fixed algorithm and key, and then the expiry.',
    evidence: served.slice(0, namedAtMost).map(({ reply }) => reply.exchange),
  })
  judge.advisory(lenient.length === 0, {
    saw: `a token for a malformed serialisation: ${listNames(lenient.map(({ name }) => `a session ${name}`))}`,
    expected: 'three parts and nothing behind them',
    fix: 'Reject a session that does not have exactly three parts.',
    evidence: lenient.map(({ reply }) => reply.exchange),
  })
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namedAtMost)
  const more = names.length - shown.length
  return new Intl.ListFormat('en').format(more === 0 ? shown : [...shown, `${more} more`])
}

type Header = Readonly<Record<string, unknown>>

/** A backend that takes sessions with such a header for what they say. */
function forgiving(sessionForm: 'signed' | 'signed-in-public', isTaken: (header: Header) => boolean) {
  return {
    backend: {
      sessionForm,
      recall<Found>(token: string, _: unknown, usual: () => Found) {
        const read = readToken(token)
        return read !== null && isTaken(read.header) ? decodedSession(token) : usual()
      },
    },
  }
}

/** A backend that verifies an HMAC with its public key. */
function confuse(secretOf: (key: KeyObject) => string | Buffer) {
  return {
    backend: {
      sessionForm: 'signed-in-public' as const,
      recall<Found>(
        token: string,
        { keys }: { readonly keys: { readonly publicKey: KeyObject } },
        usual: () => Found,
      ) {
        const at = token.lastIndexOf('.')
        if (readToken(token)?.header['alg'] !== 'HS256') return usual()
        const wanted = createHmac('sha256', secretOf(keys.publicKey)).update(token.slice(0, at))
        return wanted.digest('base64url') === token.slice(at + 1) ? decodedSession(token) : null
      },
    },
  }
}

function decodedSession(token: string) {
  const claims = readToken(
    token
      .split('.')
      .slice(0, 3)
      .join('.')
      .replace(/^([^.]*\.[^.]*)$/, '$1.'),
  )?.claims
  const [id, userId, exp] = [claims?.['sid'], claims?.['sub'], claims?.['exp']]
  if (typeof id !== 'string' || typeof userId !== 'string' || typeof exp !== 'number') return null
  return { id, userId, expiresAt: exp * 1000 }
}
