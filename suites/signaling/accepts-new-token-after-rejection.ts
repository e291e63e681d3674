import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { takenApart } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'

/** What a user is refused with, made of a fresh token of theirs. */
const damages: readonly ((jwt: string, userId: string) => string | undefined)[] = [
  (jwt, userId) => damaged(jwt, userId).at(0),
  (jwt, userId) => damaged(jwt, userId).at(-2),
  () => 'garbage',
]

export default defineCheck({
  id: 'SIG-07',
  role: 'signaling',
  level: 'MUST',
  clauses: ['3', '5.6'],
  title: 'lets a user in again with a newly minted token after a refusal',
  why: 'Minting again and reconnecting is the only way back that a client has: a service that bars it ends all calls.',
  how:
    'Users of their own join, are then refused once, each with another damage to a fresh token or with garbage, and ' +
    'mint again. The new token must be accepted.',
  mints: 9,
  needs: ['mint', 'signaling'],
  async run({ mint, signaling, newUser }, judge) {
    // One refusal for each user: a service that locks a user out after several is not accused.
    const rounds = await Promise.all(
      damages.map(async (damage) => {
        const userId = newUser()
        await signaling.accepted(await mint.token(userId))
        const { jwt } = await mint.token(userId)
        const attack = damage(jwt, userId)
        if (attack === undefined) return null
        const refused = await signaling.attempt({ token: attack, declaredUser: userId })
        if (refused.outcome !== 'refused') return null
        const made = await signaling.join(await mint.token(userId))
        // Silence is no refusal here: a service that is merely slow bars nobody.
        const isSilent = made.events.some(({ type }) => type === 'timeout')
        if (made.outcome === 'refused' && (made.unreachable === true || isSilent))
          throw new ControlLost(`signaling ${made.summary}`, [made.exchange])
        return { refused, made }
      }),
    )
    const judged = rounds.filter((round) => round !== null)
    if (judged.length === 0) throw new Untested('signaling refused none of the damaged tokens')
    for (const { refused, made } of judged)
      judge.must(made.outcome === 'accepted', {
        saw: `that signaling ${made.summary}, offered a newly minted token of a user who had been refused`,
        expected: 'the user accepted',
        evidence: [refused.exchange, made.exchange],
      })
  },
  catches: {
    'bans a user after a failure': {
      signaling: { banKey: (credential) => /"sub":"[^"]*"/.exec(payloadOf(credential))?.[0] ?? null },
    },
    'bans everybody after a failure': { signaling: { banKey: () => 'everybody' } },
    'bans the key id that a refused token named': {
      signaling: { banKey: (credential) => credential.split('.')[0] ?? null },
    },
  },
})

function payloadOf(credential: string): string {
  return Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString()
}

function damaged(jwt: string, userId: string): string[] {
  const original = takenApart(jwt, userId)
  const forgeries = original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser: userId })
  return forgeries.map(({ token }) => token)
}
