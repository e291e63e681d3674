import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { takenApart } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'

/** Rejected credentials, each derived from a fresh token of its user. */
const damages: readonly ((jwt: string, userId: string) => string | undefined)[] = [
  (jwt, userId) => damaged(jwt, userId).at(0),
  (jwt, userId) => damaged(jwt, userId).at(-2),
  () => 'garbage',
]

export default defineCheck({
  id: 'SIG-07',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['3', '5.6'],
  title: 'accepts a newly minted token after a rejection',
  why: 'Minting again and reconnecting is the only recovery that a client has: a service that blocks it ends all calls.',
  how: 'Separate users join, are rejected once, each with a differently tampered token or with garbage, and mint again. The new token must be accepted; its rejection fails.',
  mints: 9,
  needs: ['mint', 'signaling'],
  async run({ mint, signaling, newUser }, judge) {
    // One rejection per user: a service that locks users out after several is not accused.
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
        // Silence is not a rejection here: the service may only be slow.
        const isSilent = made.events.some(({ type }) => type === 'timeout')
        if (made.outcome === 'refused' && (made.unreachable === true || isSilent))
          throw new ControlLost(`signaling ${made.summary}`, [made.exchange])
        return { refused, made }
      }),
    )
    const judged = rounds.filter((round) => round !== null)
    if (judged.length === 0) throw new Untested('signaling rejected none of the tampered tokens')
    for (const { refused, made } of judged)
      judge.must(made.outcome === 'accepted', {
        saw: `a newly minted token not accepted after a rejection of the same user: signaling ${made.summary}`,
        expected: 'the new token accepted (3)',
        fix: 'Do not block a user or client for a rejected token.',
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
