import type { Reply } from '../../src/base/http/client.ts'
import { Untested } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { createNearMissKeys } from '../../src/roles/mint/near-miss-keys.ts'
import { isRejection } from '../backend/lib/describe-reply.ts'
import { callDuringRejections } from '../lib/during-rejections.ts'
import { findBanned } from '../lib/find-banned.ts'

const atOnce = 4
/** However slow the machine is: damage shows after some rejections. */
const least = 25

export default defineCheck({
  id: 'MINT-27',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4', '4.1', '7'],
  basis:
    'A request with a valid key is answered with a token (4.1), one without with an error (7), and no token is for two people (2.1.4).',
  title: 'serves valid keys while another is being rejected',
  why: 'Rejections that keep a worker, or leave something behind, let anyone without a key end all calls or act for other users.',
  how: {
    does: [
      'Sends an unknown key 60 times, four at a time, at least 25 times and then for at most 6 s, while three users get tokens with the valid key.',
      'Where the mint serves no valid request any more, it is started again where start.command has started it, and all of this is done once more.',
    ],
    fails: [
      'No token behind the rejections, nor behind those after the new start: workers of rejected requests that are never freed.',
      'A token for the key that was rejected before.',
      'A token that names the user of an earlier, rejected request.',
      'A user who asked before or between the rejections, rejected for good, while others are served.',
    ],
  },
  mints: 13,
  needs: ['mint'],
  stage: 'banning at the mint',
  atOnce: { mint: atOnce },
  async run({ mint, newUser, randomBytes, clock }, judge) {
    const rejected = newUser()
    const random = randomBytes(mint.apiKey.length).toString('hex')
    const [[, key] = ['', 'ac_live_unknown']] = createNearMissKeys(mint.apiKey, random)
    const askFor = (userId: string) => mint.request({ userId, followRedirects: true })
    // The first request may follow a rejection of another requirement, and the second one shows that the mint serves.
    const [early, first] = [newUser(), newUser()]
    await askFor(early)
    await mint.token(first)
    await mint.userIdPaths()
    const replies: Reply[] = []
    const calls = await callDuringRejections(
      clock,
      { times: 60, least, longestMs: 6_000, atOnce, calls: 3 },
      async () => {
        const wrong = { key, userId: rejected, followRedirects: true, case: 'an unknown key, again' }
        replies.push(await mint.request(wrong))
      },
      async () => {
        const userId = newUser()
        const reply = await askFor(userId)
        return { userId, reply, read: readToken(mint.issuedBy(reply) ?? '') }
      },
    )
    // A key that is never rejected breaks MINT-05.
    const issued = replies.filter((reply) => mint.issuedBy(reply) !== null)
    const times = replies.filter(isRejection).length
    if (issued.length === 0 && times < least)
      judge.untested(
        `only ${times} of ${replies.length} requests with an unknown key were rejected: others met a limit, a fault or no answer`,
      )
    if (issued.length > 0 && times === 0)
      throw new Untested('the mint issued tokens for an unknown key, so nothing was rejected')
    judge.must(issued.length === 0, {
      saw: `a token for an unknown key ${issued.length} times, which was rejected ${times} times`,
      expected: 'an error every time (7)',
      fix: 'Look up every key that is presented, however often it was rejected before.',
      evidence: issued.slice(0, 3).map(({ exchange }) => exchange),
    })
    const served = calls.filter(({ reply }) => mint.issuedBy(reply) !== null)
    judge.observe('mint.servedDuringRejections', `${served.length} of ${calls.length}`)
    const foreign = served.filter(
      ({ userId, read }) =>
        read !== null &&
        mint.pathsHolding(read, rejected).length > 0 &&
        mint.pathsHolding(read, userId).length === 0,
    )
    judge.must(foreign.length === 0, {
      saw: `${foreign.length} of ${served.length} tokens with the userId of a request that was rejected, and not with that of their own`,
      expected: 'the userId of the request (2.1.4)',
      fix: 'Keep nothing of a rejected request for the next one.',
      evidence: foreign.map(({ reply }) => reply.exchange),
    })
    await mint.token(newUser())
    const banned = await findBanned([early, first, ...calls.map(({ userId }) => userId)], {
      askFor,
      askForOther: () => askFor(newUser()),
      isServed: (reply) => mint.issuedBy(reply) !== null,
      isRejected: isRejection,
    })
    judge.must(banned === null, {
      saw: 'requests for a user whose requests were never rejected not answered with a token any more after an unknown key, while other users get tokens',
      expected: 'a token (4.1)',
      fix: 'Count and ban only what was rejected: the key, or the client that sent it.',
      evidence: banned === null ? [] : [banned.exchange],
    })
  },
})
