import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { createNearMissKeys } from '../../src/roles/mint/near-miss-keys.ts'

type Parts = CheckContext<'mint'>

const rejections = 60
/** So many wait for their answer at a time; where those are slow or limited, no more begin after `longestMs`. */
const atOnce = 4
const longestMs = 6_000
/** However slow the machine is: damage shows after some rejections. */
const leastRejections = 25
const ordinary = 3
/** After so many rejections; where those are slow or limited, the last ones follow them. */
const ordinaryAfter: readonly number[] = [6, 20, 59]

export default defineCheck({
  id: 'MINT-27',
  role: 'mint',
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
      'Runs alone, after the other requirements.',
    ],
    fails: [
      'No token behind the rejections, nor behind those after the new start: workers of rejected requests that are never freed.',
      'A token for the key that was rejected before.',
      'A token that names the user of an earlier, rejected request.',
      'A user who was served before, or whose request came in between, rejected for good, while others are served.',
    ],
  },
  mints: 11,
  needs: ['mint'],
  stage: 'banning at the mint',
  atOnce: { mint: atOnce },
  async run(parts, judge) {
    const { mint, newUser, randomBytes } = parts
    const rejected = newUser()
    const [[, key] = ['', 'ac_live_unknown']] = createNearMissKeys(
      mint.apiKey,
      randomBytes(mint.apiKey.length).toString('hex'),
    )
    const reject = () =>
      mint.request({ key, userId: rejected, followRedirects: true, case: 'an unknown key, again' })
    const first = newUser()
    await mint.token(first)
    await mint.facts()
    const { calls, replies } = await callDuringRejections(parts, reject)
    judgeRejections(replies, parts, judge)
    const served = calls.filter(({ reply }) => mint.issuedBy(reply) !== null)
    judge.observe('mint.servedDuringRejections', `${served.length} of ${calls.length}`)
    judgeUsers(
      served.filter(({ userId }) => userId !== rejected),
      rejected,
      parts,
      judge,
    )
    await mint.token(newUser())
    const bystanders = new Set([first, ...calls.map(({ userId }) => userId)])
    bystanders.delete(rejected)
    const banned = await findBanned([...bystanders], parts)
    judge.must(banned === null, {
      saw: `requests for a user whose requests were never rejected not answered with a token any more after an unknown key, while other users get tokens`,
      expected: 'a token (4.1)',
      fix: 'Count and ban only what was rejected: the key, or the client that sent it.',
      evidence: banned === null ? [] : [banned],
    })
  },
})

interface Call {
  readonly userId: string
  readonly reply: Reply
}

/** Ordinary requests while an unknown key is rejected again and again. */
async function callDuringRejections(
  { mint, newUser, clock }: Parts,
  reject: () => Promise<Reply>,
): Promise<{ readonly calls: readonly Call[]; readonly replies: readonly Reply[] }> {
  const calls: Promise<Call>[] = []
  const replies: Reply[] = []
  const underWay = new Set<Promise<void>>()
  const call = () => {
    const userId = newUser()
    const asked = mint.request({ userId, followRedirects: true }).then((reply) => ({ userId, reply }))
    calls.push(awaitedLater(asked))
  }
  const end = clock.monotonic() + longestMs
  const isEnough = (count: number) => count >= leastRejections && clock.monotonic() >= end
  for (let count = 0; count < rejections && !isEnough(count); count += 1) {
    const one = awaitedLater(
      reject()
        .then((reply) => void replies.push(reply))
        .finally(() => underWay.delete(one)),
    )
    underWay.add(one)
    if (underWay.size >= atOnce) await Promise.race(underWay)
    if (ordinaryAfter.includes(count)) call()
  }
  await Promise.all(underWay)
  while (calls.length < ordinary) call()
  return { calls: await Promise.all(calls), replies }
}

/** A key that is never rejected breaks MINT-05. */
function judgeRejections(replies: readonly Reply[], { mint }: Parts, judge: Judge): void {
  const issued = replies.filter((reply) => mint.issuedBy(reply) !== null)
  const rejected = replies.filter(isRejected).length
  if (issued.length === 0 && rejected < leastRejections)
    judge.untested(
      `only ${rejected} of ${replies.length} requests with an unknown key were rejected: others met a limit, a fault or no answer`,
    )
  if (issued.length > 0 && rejected === 0)
    throw new Untested('the mint issued tokens for an unknown key, so nothing was rejected')
  judge.must(issued.length === 0, {
    saw: `a token for an unknown key ${issued.length} times, which was rejected ${rejected} times`,
    expected: 'an error every time (7)',
    fix: 'Look up every key that is presented, however often it was rejected before.',
    evidence: issued.slice(0, 3).map(({ exchange }) => exchange),
  })
}

function judgeUsers(served: readonly Call[], rejected: string, { mint }: Parts, judge: Judge): void {
  const foreign = served.filter(({ userId, reply }) => {
    const read = readToken(mint.issuedBy(reply) ?? '')
    return (
      read !== null &&
      mint.pathsHolding(read, rejected).length > 0 &&
      mint.pathsHolding(read, userId).length === 0
    )
  })
  judge.must(foreign.length === 0, {
    saw: `${foreign.length} of ${served.length} tokens with the userId of a request that was rejected, and not with that of their own`,
    expected: 'the userId of the request (2.1.4)',
    fix: 'Keep nothing of a rejected request for the next one.',
    evidence: foreign.map(({ reply }) => reply.exchange),
  })
}

/** A decision of the service, and no fault, no limit and no silence. */
function isRejected(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}

/** The exchange of the second of two rejections of one user's requests, before and after other users were served; null where there is none. */
async function findBanned(users: readonly string[], { mint, newUser }: Parts): Promise<string | null> {
  const ask = (userId: string) => mint.request({ userId, followRedirects: true })
  const isServing = async () => {
    let last: Reply | undefined
    for (let time = 0; time < ordinary; time += 1) {
      last = await ask(newUser())
      if (mint.issuedBy(last) !== null) return true
    }
    if (last !== undefined && !isRejected(last))
      throw new ControlLost('the mint decides about no request behind rejections of others', [last.exchange])
    return false
  }
  for (const userId of users) {
    if (!isRejected(await ask(userId))) continue
    // Everyone is rejected: a ban of this address is judged as such.
    if (!(await isServing())) return null
    const again = await ask(userId)
    if (isRejected(again) && (await isServing())) return again.exchange
  }
  return null
}
