import type { JWK } from 'jose'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { bombMegabytes, compressionBombs } from '../../src/base/tokens/forge-bombs.ts'
import { encryptedForgeries } from '../../src/base/tokens/forge-encrypted.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { type Attack, fetchUnseen, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = {
  clause: '1.3',
  fix: 'Accept the one form of token that the mint issues, and verify a signature, or a key that only the mint has, before claims are read.',
}

export default defineCheck({
  id: 'SIG-33',
  role: 'signaling',
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
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  stage: 'straining',
  async run({ callingTokens, signaling, unknownUser, available }, judge) {
    const { original } = await fetchUnseen(callingTokens)
    const published = (await available('jwks')?.()) ?? []
    const forgeries = await encryptedForgeries(original, unknownUser(), published)
    const attacks = toAttacks(forgeries).map((attack): Attack => ({ ...attack, isOptional: true }))
    await judge.sandwich(signaling.control, () => mustReject(attacks, signaling, judge, rule))
    await judgeBombs({ callingTokens, signaling }, { published, userId: unknownUser() }, judge)
  },
})

type Parts = Pick<CheckContext<'callingTokens' | 'signaling'>, 'callingTokens' | 'signaling'>

/** Offers tokens that are large when they are inflated: others must be served within the usual time afterwards. */
async function judgeBombs(
  { callingTokens, signaling }: Parts,
  { published, userId }: { readonly published: readonly JWK[]; readonly userId: string },
  judge: Judge,
): Promise<void> {
  const { access } = signaling.configuration
  const isMessage = access !== undefined && 'profile' in access && access.profile.carriage.in === 'message'
  const size = bombMegabytes[isMessage ? 'message' : 'header']
  const bombs = toAttacks(compressionBombs(userId, published, size))
  await mustReject(
    bombs.map((bomb): Attack => ({ ...bomb, isOptional: true })),
    signaling,
    judge,
    rule,
  )
  const made = await signaling.join(await callingTokens.fresh())
  if (made.outcome === 'accepted') return judge.passed()
  const recoveredAfter = await signaling.outlastBan().catch((error: unknown) => {
    if (error instanceof ControlLost) return null
    throw error
  })
  judge.advisory(recoveredAfter === 0, {
    case: 'compressed content',
    saw: `no client served ${recoveredAfter === null ? 'any more' : `for ${recoveredAfter} s`} after ${bombs.length} tokens of ${size} MB when inflated: signaling ${made.summary}`,
    expected: 'service for all others (RFC 8725, 3.6)',
    fix: 'Reject encrypted tokens with zip in the header, or end inflation at a few kilobytes.',
    evidence: [made.exchange],
  })
}
