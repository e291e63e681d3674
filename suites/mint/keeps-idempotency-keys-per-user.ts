import { randomUUID } from 'node:crypto'
import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Mint, MintRequest } from '../../src/roles/mint/driver.ts'
import { describeReply, isOverload } from '../backend/lib/describe-reply.ts'
import { wereAtOnce } from '../lib/were-at-once.ts'

/** Two requests under one key, or under keys that a careless store takes for one. */
interface Pair {
  /** Completes "a second user, under …". */
  readonly name: string
  readonly isAtOnce?: true
  /** The second request has a made-up API key, and the user of the first. */
  readonly isWithoutApiKey?: true
  mark(key: string, place: 'first' | 'second', userId: string): MintRequest
}

interface Outcome {
  readonly userId: string
  readonly reply: Reply
  readonly jwt: string | null
}

/** Two requests are sent together so often until both are under way at once. */
const mostTogether = 3

export default defineCheck({
  id: 'MINT-24',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'One JWT is never used for two people, also not where two requests have one key (2.1.4).',
  standards: ['OWASP ASVS 5.0, 14.2.2'],
  title: "never answers a repeated Idempotency-Key with another user's token",
  why: 'A store of responses that looks at the key alone gives the first user away: to a backend that uses one key twice, and to anyone who reads the key in a log.',
  how: {
    does: [
      'Between two controls, mints for two users with one Idempotency-Key, one after the other and at the same time.',
      'Does so also with X-Idempotency-Key and similar headers, with X-Request-Id and similar headers, with the key in the body and the query, and with two keys that differ only at their end or in case.',
      'Sends the first request of a key once more with a made-up API key.',
      'A rejection of the second request is as good as a token for its user, and so is a mint that does not know such keys: both are recorded.',
      'Where the claims cannot be read, only duplicate tokens are detected.',
    ],
    fails: [
      "The first user's token for the second user, or a new token with the first user's id.",
      'A token for a made-up API key.',
    ],
    untested: [
      'Two requests at the same time of which the second came behind the first in each of three tries.',
      'A made-up API key that gets a token under an unused Idempotency-Key, too: MINT-05 judges that.',
    ],
  },
  // Each further try of the two at once costs two.
  mints: 23,
  needs: ['mint'],
  atOnce: { mint: 2 },
  async run({ mint, newUser }, judge) {
    const userIdPaths = await mint.userIdPaths()
    const unknownKey = `ac_live_${randomUUID().replaceAll('-', '')}`
    const send = async (userId: string, name: string, request: MintRequest): Promise<Outcome> => {
      const reply = await mint.request({ userId, followRedirects: true, case: name, ...request })
      return { userId, reply, jwt: mint.issuedBy(reply) }
    }
    const sendPair = async ({ name, isAtOnce, isWithoutApiKey, mark }: Pair) => {
      const key = randomUUID()
      const own = newUser()
      const other = isWithoutApiKey === true ? own : newUser()
      const first = send(own, `the first user, under ${name}`, mark(key, 'first', own))
      if (isAtOnce !== true) await first
      const wrongKey = isWithoutApiKey === true ? { key: unknownKey } : {}
      const marked = { ...mark(key, 'second', other), ...wrongKey }
      return Promise.all([first, send(other, `a second user, under ${name}`, marked)])
    }
    const whyUnseen = async (pair: Pair, [first, second]: readonly [Outcome, Outcome]) => {
      if (pair.isAtOnce === true && !wereAtOnce(first.reply, second.reply))
        return 'the two requests were never under way at once'
      if (pair.isWithoutApiKey !== true || second.jwt === null) return null
      const headers = [['idempotency-key', randomUUID()]] as const
      const minted = await send(newUser(), 'an unused Idempotency-Key', { key: unknownKey, headers })
      return minted.jwt === null
        ? null
        : 'the mint takes that API key without a stored response, too (MINT-05),'
    }
    await attack(judge, {
      control: () => mint.token(newUser()),
      cases: pairs,
      of: 'under',
      // Over connections that are open by then: few milliseconds may lie between two requests.
      together: false,
      async send(pair) {
        let both = await sendPair(pair)
        const areApart = () => pair.isAtOnce === true && !wereAtOnce(both[0].reply, both[1].reply)
        for (let times = 1; times < mostTogether && areApart(); times += 1) both = await sendPair(pair)
        const isUndecided = both.some(({ reply, jwt }) => jwt === null && isOverload(reply))
        const evidence = both.map(({ reply }) => reply.exchange)
        return { both, isUndecided, evidence, unseen: await whyUnseen(pair, both) }
      },
      breaches: {
        level: 'must',
        saw({ both: [first, second] }, { isWithoutApiKey }) {
          if (isWithoutApiKey === true) return second.jwt === null ? null : 'a calling token'
          if (first.jwt !== null && first.jwt === second.jwt)
            return "the first user's token for a second user"
          const isStray = isForOther(mint, first, second) || isForOther(mint, second, first)
          return isStray ? 'a token for the other of two users' : null
        },
        expected: 'a token for the userId and the API key of the request, or a rejection (2.1.4, 7)',
        fix: 'Verify the API key first. Store a response under that key, the idempotency key and the whole body, and reject the key with another body (422).',
      },
      judgeAll(tried) {
        const isUnreadable = ({ jwt }: Outcome) =>
          jwt !== null && (readToken(jwt)?.claims == null || userIdPaths.length === 0)
        if (tried.some(({ seen }) => seen.both.some(isUnreadable)))
          judge.onlyObserved('the claims of the token cannot be read')
        const described = tried.map(({ one, seen }) => [one.name, seen.both.map(describe).join(', then ')])
        judge.observe('mint.repeatedIdempotencyKeys', Object.fromEntries(described))
      },
    })
  },
})

const otherNames = ['x-idempotency-key', 'idempotency-token', 'x-idempotency-token', 'request-token']
const traceNames = ['x-request-id', 'request-id', 'x-correlation-id', 'x-transaction-id', 'x-client-token']

const under =
  (...names: readonly string[]) =>
  (key: string): MintRequest => ({ headers: names.map((name) => [name, key] as const) })

const pairs: readonly Pair[] = [
  { name: 'one Idempotency-Key', mark: under('idempotency-key') },
  { name: 'one X-Idempotency-Key', mark: under(...otherNames) },
  { name: 'one X-Request-Id', mark: under(...traceNames) },
  {
    name: 'one idempotencyKey in body and query',
    mark: (key, _, userId) => ({
      body: { userId, idempotencyKey: key, idempotency_key: key, requestId: key },
      query: { idempotencyKey: key, idempotency_key: key },
    }),
  },
  {
    name: 'two Idempotency-Keys that differ at their end',
    mark: (key, place) => under('idempotency-key')(key.padEnd(127, '0') + place),
  },
  {
    name: 'two Idempotency-Keys that differ in case',
    mark: (key, place) => under('idempotency-key')(place === 'first' ? `aa${key}` : `AA${key.toUpperCase()}`),
  },
  {
    name: 'a used Idempotency-Key and a made-up API key',
    isWithoutApiKey: true,
    mark: under('idempotency-key'),
  },
  { name: 'one Idempotency-Key at the same time', isAtOnce: true, mark: under('idempotency-key') },
]

function isForOther(mint: Mint, { jwt, userId }: Outcome, other: Outcome): boolean {
  const read = jwt === null ? null : readToken(jwt)
  if (read === null || userId === other.userId) return false
  return mint.pathsHolding(read, other.userId).length > 0 && mint.pathsHolding(read, userId).length === 0
}

function describe({ reply, jwt }: Outcome): string {
  return jwt === null ? `${describeReply(reply)} without a token` : 'a token'
}
