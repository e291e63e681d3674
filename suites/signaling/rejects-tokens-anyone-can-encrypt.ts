import { encryptedForgeries } from '../../src/base/tokens/forge-encrypted.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, fetchUnseen, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'
import { decrypting } from './lib/variant-encryption.ts'

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
  standards: ['RFC 8725, 3.2', 'RFC 8725, 2.5', 'OWASP ASVS 5.0, 9.1.2'],
  title: 'rejects tokens that any client can encrypt',
  why: 'Libraries read encrypted and signed tokens alike. Encryption to a published key shows who may read a token, and not who wrote it.',
  how: {
    does: [
      "Between two controls, offers another user's claims as an encrypted token (JWE): to each published key by ECDH-ES or RSA-OAEP, under a key of zero bytes, and under an empty password; as claims, as an unsigned token within, and as a tampered one within.",
      'Offers a token that asks for two billion iterations (p2c): the control behind it must still be accepted.',
      'Without token.jwks, the published keys are left out.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, unknownUser, available }, judge) {
    const { original } = await fetchUnseen(callingTokens)
    const published = (await available('jwks')?.()) ?? []
    const forgeries = await encryptedForgeries(original, unknownUser(), published)
    const attacks = toAttacks(forgeries).map((attack): Attack => ({ ...attack, isOptional: true }))
    await judge.sandwich(signaling.control, () => mustReject(attacks, signaling, judge, rule))
  },
  catches: {
    'takes claims that are encrypted to its key': decrypting({ key: 'EC', takes: 'claims' }),
    'takes claims that are encrypted to its RSA key': decrypting({
      key: 'RSA',
      algorithm: 'RSA-OAEP',
      takes: 'claims',
    }),
    'takes claims that are encrypted to its RSA key, with another hash': decrypting({
      key: 'RSA',
      algorithm: 'RSA-OAEP-256',
      takes: 'claims',
    }),
    'takes claims that are encrypted to its key with a wrapped key': decrypting({
      key: 'EC',
      algorithm: 'ECDH-ES+A256KW',
      takes: 'claims',
    }),
    'takes an unsigned token within an encrypted one': decrypting({ key: 'EC', takes: 'unsigned' }),
    'verifies no signature within an encrypted token': decrypting({ key: 'EC', takes: 'tampered' }),
    'has a key of zero bytes': decrypting({ key: new Uint8Array(32), takes: 'claims' }),
    'has a key of zero bytes, and verifies no signature within': decrypting({
      key: new Uint8Array(32),
      takes: 'unsigned',
    }),
    'has an empty password': decrypting({ key: new Uint8Array(), takes: 'claims' }),
  },
})
