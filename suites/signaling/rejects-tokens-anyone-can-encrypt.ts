import { ControlLost } from '../../src/base/inconclusive.ts'
import type { Forgery } from '../../src/base/tokens/forge.ts'
import { bombMegabytes, compressionBombs, encryptedForgeries } from '../../src/base/tokens/forge-encrypted.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { profileOf } from '../lib/profile-of.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchUnseen } from './lib/specimens.ts'

const fix =
  'Accept the one form of token that the mint issues, and verify a signature, or a key that only the mint has, before claims are read.'

export default defineCheck({
  id: 'SIG-33',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis:
    'The token proves that the client may join as a userId: what anyone can encrypt proves nothing (1.3).',
  standards: ['RFC 8725, 3.2', 'RFC 8725, 2.5', 'RFC 8725, 3.6', 'OWASP ASVS 5.0, 9.1.2'],
  title: 'rejects tokens that any client can encrypt',
  why: 'Libraries read encrypted and signed tokens alike. Encryption to a published key shows who may read a token, and not who wrote it.',
  how: {
    does: [
      "Between two controls, offers another user's claims as an encrypted token (JWE): to each published key by ECDH-ES or RSA-OAEP, under a key of zero bytes, and under an empty password; as claims, as an unsigned token within, and as a tampered one within.",
      'Offers a token that asks for two billion iterations (p2c): the control behind it must still be accepted.',
      'Offers encrypted tokens whose content is compressed a thousand times (zip), then joins as another user.',
      'Without token.jwks, the published keys are left out.',
    ],
    fails: ['A success sign.'],
    warns: [
      'A success sign that the service takes back at once.',
      'No service for other users after tokens that are inflated.',
    ],
  },
  mints: 5,
  needs: ['callingTokens', 'signaling'],
  stage: 'straining',
  async run({ callingTokens, signaling, unknownUser, available }, judge) {
    const { original } = await fetchUnseen({ callingTokens })
    const published = (await available('jwks')?.()) ?? []
    const reject = async (forgeries: readonly Forgery[]) => {
      const cases = toCredentials(forgeries).map((one) => ({ ...one, isOptional: true as const }))
      await rejectCredentials(signaling, judge, cases, fix)
    }
    await reject(await encryptedForgeries(original, unknownUser(), published))

    // Tokens that are large when they are inflated: others must be served within the usual time afterwards.
    const isMessage = profileOf(signaling.configuration.access)?.carriage.in === 'message'
    const size = bombMegabytes[isMessage ? 'message' : 'header']
    let recoveredAfter: number | null = 0
    try {
      await reject(await compressionBombs(unknownUser(), published, size))
    } catch (error) {
      if (!(error instanceof ControlLost)) throw error
      recoveredAfter = await signaling.outlastBan().catch(() => null)
    }
    judge.advisory(recoveredAfter === 0, {
      case: 'compressed content',
      saw: `no client served ${recoveredAfter === null ? 'any more' : `for ${recoveredAfter} s`} after tokens of ${size} MB when inflated`,
      expected: 'service for all others (RFC 8725, 3.6)',
      fix: 'Reject encrypted tokens with zip in the header, or end inflation at a few kilobytes.',
    })
  },
})
