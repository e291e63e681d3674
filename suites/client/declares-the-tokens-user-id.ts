import type { Configuration } from '../../src/configuration/configuration.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { SignedIn } from '../../src/roles/client/types.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../src/roles/signaling/check-profile.ts'

/** A declaration in a separate message may come after the credential was accepted. */
const declarationSeconds = 3

export default defineCheck({
  id: 'CLI-18',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.3', '2.3'],
  basis: 'The userId of the SDK is the one that the token is minted for (2.1.3, 2.3).',
  title: 'declares the userId of its calling JWT',
  why: 'Signaling rejects a declaration that differs from the token. Where it does not, peers dial an id that no user has.',
  how: {
    does: [
      'Two users sign in, connect and sign out, one after the other, with one client.',
      'Compares the userId that each handshake declares with the userId of the JWT that it carries.',
    ],
    fails: ["A different userId (an e-mail address, a display name, the previous user's id)."],
    untested: [
      'A profile without a field for a declared user.',
      'A user without a known userId, or without a declaration in the handshake.',
    ],
  },
  needs: ['client', 'clientBob', 'signalingDouble'],
  async run({ client, configuration, signalingDouble }, judge) {
    if (!signalingDouble.declaresUser)
      return isDeclarationUnconfirmed(configuration.signaling?.access)
        ? judge.untested(unconfirmedDeclaration)
        : judge.onlyObserved('the protocol has no field for a declared userId')
    await using app = await client.open()
    for (const name of ['alice', 'bob'] as const) {
      const before = app.signaling.attempts().length
      const { user } = await app.join(name)
      const own = () => app.signaling.attempts().slice(before)
      await app.waitFor(() => own().some(({ declaredUser }) => declaredUser !== null), declarationSeconds)
      if (!isKnown(user, configuration)) {
        judge.untested(`needs client.users.${name}.userId, or a driver whose signIn returns it`)
      } else {
        let declared = 0
        for (const { credential, declaredUser, exchange } of own()) {
          const token = app.issued().find(({ jwt }) => jwt === credential)
          if (token === undefined || declaredUser === null) continue
          declared += 1
          judge.must(declaredUser === token.userId, {
            case: name,
            saw: `the userId "${declaredUser}" declared beside a calling JWT for "${token.userId}"`,
            expected: 'the userId of the JWT in the configuration of the SDK (2.1.3)',
            fix: 'Configure the SDK with the stable id that the backend mints for.',
            evidence: [exchange],
          })
        }
        if (declared === 0)
          judge.untested(
            `the client declared no userId for ${name} where signaling.profile.declaredUser says, or the adapter reads it`,
          )
      }
      await app.signOut()
    }
  },
})

/** Without a told id, the double's tokens are for the name by which the suite calls the user. */
function isKnown({ name, userId }: SignedIn, { client }: Configuration): boolean {
  return userId !== name || client?.users[name]?.['userId'] === userId
}
