import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { OpenSocket } from '../../src/roles/signaling/attempt.ts'
import { fetchWithKey } from './lib/fetch-with-key.ts'
import { courseOf, openSocket } from './lib/open-socket.ts'

type Parts = CheckContext<'mint' | 'otherProjectKey' | 'signaling'>

/** How long frames about others may be on their way. */
const settleMs = 500

export default defineCheck({
  id: 'SIG-31',
  level: 'INFO',
  kind: 'positive',
  clauses: ['5.4'],
  title: 'records whether two projects share their users',
  why: 'The specification does not say whether a userId belongs to a project: where it does not, the user of one project may receive the calls of another.',
  how: {
    does: [
      'Keeps a user of one project online and joins with the same userId from a second project: records whether the first socket stays, and which frames name the other.',
      'Then joins as further users of both projects: records whether the frames that they get, and that the first user gets, name each other.',
      'A call itself cannot be made, since the protocol is not specified.',
    ],
  },
  mints: 4,
  needs: ['mint', 'otherProjectKey', 'signaling'],
  async run(parts, judge) {
    const { mint, otherProjectKey, signaling, newUser } = parts
    const fetchOutside = (user: string) => fetchWithKey(mint, 'mint.otherProjectKey', otherProjectKey, user)
    const userId = newUser()
    await using first = await openSocket(parts, await mint.token(userId))
    const other = await fetchOutside(userId)
    const second = await signaling.hold({ token: other.jwt, declaredUser: userId })
    judge.observe('signaling.sameUserOfOtherProject', second.outcome)
    if (second.outcome === 'accepted') {
      await first.next(({ type }) => type === 'close', settleMs)
      judge.observe('signaling.firstSocketAfterOtherProject', courseOf(first))
      await second.socket[Symbol.asyncDispose]()
    }
    const online = { userId, socket: first }
    const inside = await mint.token(newUser())
    judge.observe('signaling.presenceWithinProject', await meet(parts, online, inside))
    const outside = await fetchOutside(newUser())
    judge.observe('signaling.presenceAcrossProjects', await meet(parts, online, outside))
  },
})

/** Joins beside a user who is online: which of the two is told of the other. */
async function meet(
  { signaling }: Parts,
  online: { readonly userId: string; readonly socket: OpenSocket },
  { userId, jwt }: { readonly userId: string; readonly jwt: string },
): Promise<string> {
  const made = await signaling.hold({ token: jwt, declaredUser: userId })
  if (made.outcome !== 'accepted') return `not seen: signaling ${made.summary}`
  await using socket = made.socket
  const isTold = await online.socket.next(({ text }) => text.includes(userId), settleMs)
  const tells = [...made.events, ...socket.events].some(
    ({ type, text }) => type === 'frame' && text.includes(online.userId),
  )
  const told = [isTold && 'the user who is online', tells && 'the user who joins'].filter(Boolean)
  return told.length === 0 ? 'no frame names the other' : `told of the other: ${told.join(', ')}`
}
