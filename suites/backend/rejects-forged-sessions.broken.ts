import { createHmac } from 'node:crypto'
import { readToken } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import { type Backend, bearerOf, statedSession } from './lib/variants.ts'

const signed = (policy: Partial<Backend>): Catch => ({ backend: { sessionForm: 'signed', ...policy } })

export const broken: BrokenVariants = {
  'decodes sessions without verifying them': signed({ recall: (token) => statedSession(token) }),
  'takes unsigned sessions': forgiving('signed', ({ alg }) => alg === 'none'),
  'takes a key from the header': forgiving('signed-in-public', ({ jwk }) => jwk !== undefined),
  'takes an unknown key id for a key that is empty': forgiving(
    'signed',
    ({ kid, alg }) => alg === 'HS256' && typeof kid === 'string',
  ),
  'takes its public key for a secret': confuse(),
  'takes expired sessions': signed({ isLive: ({ id }, _, { signedOut }) => !signedOut.has(id) }),
  'verifies nothing when the session is longer': signed({
    recall: async (token, _, usual) =>
      (await usual()) ?? (token.split('.').length > 3 ? statedSession(token) : null),
  }),
  'verifies only the beginning of the signature': signed({
    recall: (token, { secret }) => {
      const at = token.lastIndexOf('.')
      const signature = createHmac('sha256', secret).update(token.slice(0, at)).digest()
      const given = Buffer.from(token.slice(at + 1), 'base64url')
      const isBeginning = given.length > 0 && given.equals(signature.subarray(0, given.length))
      return isBeginning ? statedSession(token) : null
    },
  }),
  ...warning({
    'signs sessions with the secret of a tutorial': signed({
      sessionSecret: new TextEncoder().encode('a-string-secret-at-least-256-bits-long'),
    }),
    'ignores empty parts behind the third': signed({
      presentedSession: (request) => bearerOf(request)?.replace(/\.+$/, '') ?? null,
    }),
  }),
}

type Header = Readonly<Record<string, unknown>>

function forgiving(sessionForm: 'signed' | 'signed-in-public', isTaken: (header: Header) => boolean): Catch {
  return {
    backend: {
      sessionForm,
      recall(token, _, usual) {
        const read = readToken(token)
        return read !== null && isTaken(read.header) ? statedSession(token) : usual()
      },
    },
  }
}

function confuse(): Catch {
  return {
    backend: {
      sessionForm: 'signed-in-public',
      recall(token, { keys }, usual) {
        const at = token.lastIndexOf('.')
        if (readToken(token)?.header['alg'] !== 'HS256') return usual()
        const wanted = createHmac('sha256', keys.publicKey.export({ type: 'spki', format: 'pem' })).update(
          token.slice(0, at),
        )
        return wanted.digest('base64url') === token.slice(at + 1) ? statedSession(token) : null
      },
    },
  }
}
