import { randomUUID } from 'node:crypto'
import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Mint, MintRequest } from '../../src/roles/mint/driver.ts'
import { isOverloadStatus } from './lib/send-attacks.ts'

/** Two requests for two users under one key, or under keys that a careless store takes for one. */
interface Pair {
  /** Completes "a second user, under …". */
  readonly name: string
  readonly isAtOnce?: true
  mark(place: 'first' | 'second', userId: string): MintRequest
}

interface Outcome {
  readonly userId: string
  readonly reply: Reply
  readonly jwt: string | null
  /** It met a limit, an error of a gateway or silence, and was sent once more. */
  readonly isResent: boolean
}

/** Two requests are sent together so often until both are under way at once. */
const mostTogether = 3

export default defineCheck({
  id: 'MINT-24',
  role: 'mint',
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
      'A pair of which one request met a rate limit, a gateway error or no response.',
      'A made-up API key that gets a token under an unused Idempotency-Key, too: MINT-05 judges that.',
    ],
  },
  // Each further try of the two at once costs two.
  mints: 22,
  needs: ['mint'],
  atOnce: { mint: 2 },
  async run({ mint, newUser, clock }, judge) {
    const { userIdPaths } = await mint.facts()
    const send = async (userId: string, request: MintRequest, name: string): Promise<Outcome> => {
      const sendOnce = () => mint.request({ userId, followRedirects: true, case: name, ...request })
      const first = await sendOnce()
      const isResent = isUndecided(first)
      if (isResent) await clock.until(clock.monotonic() + 1_000)
      const reply = isResent ? await sendOnce() : first
      return { userId, reply, jwt: mint.issuedBy(reply), isResent }
    }
    const sendPair = async ({ name, isAtOnce, mark }: Pair): Promise<readonly [Outcome, Outcome]> => {
      const users = [newUser(), newUser()] as const
      const first = send(users[0], mark('first', users[0]), `the first user, under ${name}`)
      if (isAtOnce !== true) await first
      return Promise.all([first, send(users[1], mark('second', users[1]), `a second user, under ${name}`)])
    }

    await judge.sandwich(
      () => mint.token(newUser()),
      async () => {
        const key = randomUUID()
        const trial = async (pair: Pair) => ({ pair, both: await sendPair(pair) })
        const pairs = createPairs(key)
        const trialAtOnce = async (pair: Pair) => {
          let tried = await trial(pair)
          for (let times = 1; times < mostTogether && !haveMet(tried.both); times += 1)
            tried = await trial(createPairs(randomUUID()).find(({ name }) => name === pair.name) ?? pair)
          if (!haveMet(tried.both))
            judge.untested(`the two requests under ${pair.name} were never under way at once`)
          return tried
        }
        const inTurn = await Promise.all(pairs.filter(({ isAtOnce }) => isAtOnce !== true).map(trial))
        // Alone, over connections that are open by now: few milliseconds may lie between the two.
        const atOnce = await Promise.all(pairs.filter(({ isAtOnce }) => isAtOnce === true).map(trialAtOnce))
        const outcomes = [...inTurn, ...atOnce]
        judge.observe(
          'mint.repeatedIdempotencyKeys',
          Object.fromEntries(
            outcomes.map(({ pair: { name }, both: [first, second] }) => [
              name,
              `${describe(first)}, then ${describe(second)}`,
            ]),
          ),
        )
        for (const { pair, both } of outcomes) judgePair(pair, both)
        await judgeWithoutKey(key, outcomes[0]?.both[0].userId ?? newUser())
      },
    )

    function judgePair({ name }: Pair, [first, second]: readonly [Outcome, Outcome]): void {
      if (isUndecided(first.reply) || isUndecided(second.reply)) {
        judge.undecided(`a rate limit, a gateway error or no response under ${name}`, [
          first.reply.exchange,
          second.reply.exchange,
        ])
        return
      }
      const isSame = first.jwt !== null && first.jwt === second.jwt
      const strayed = isForOther(mint, first, second) || isForOther(mint, second, first)
      judge.must(!isSame && !strayed, {
        case: name,
        saw: `${isSame ? "the first user's token" : 'a token for the other of the two users'} for a second user, under ${name}`,
        expected: 'a token for the userId of the request, or a rejection (2.1.4)',
        fix: 'Store a response under the API key, the idempotency key and the whole body, and reject the key with another body (422).',
        evidence: [first.reply.exchange, second.reply.exchange],
      })
      const unread = [first, second].some(
        ({ jwt }) => jwt !== null && (readToken(jwt)?.claims == null || userIdPaths.length === 0),
      )
      if (unread) judge.onlyObserved('the claims of the token cannot be read')
    }

    async function judgeWithoutKey(key: string, userId: string): Promise<void> {
      const name = 'a used Idempotency-Key and a made-up API key'
      const headers = [['idempotency-key', key]] as const
      const wrong = `ac_live_${randomUUID().replaceAll('-', '')}`
      const { reply, jwt } = await send(userId, { key: wrong, headers }, name)
      if (jwt === null && isUndecided(reply)) {
        judge.undecided(`a rate limit, a gateway error or no response for a request with ${name}`, [
          reply.exchange,
        ])
        return
      }
      if (jwt !== null) {
        const unused: MintRequest = { key: wrong, headers: [['idempotency-key', randomUUID()]] }
        const minted = await send(newUser(), unused, 'an unused Idempotency-Key and that API key')
        if (minted.jwt !== null)
          return judge.untested(
            `${name}: the mint takes that API key without a stored response, too (MINT-05)`,
          )
      }
      judge.must(jwt === null, {
        case: name,
        saw: `a calling token for a request with ${name}`,
        expected: 'no token (7)',
        fix: 'Verify the API key before looking for a stored response.',
        evidence: [reply.exchange],
      })
    }
  },
})

function createPairs(key: string): Pair[] {
  const under = (names: readonly string[], value: string) => (): MintRequest => ({
    headers: names.map((name) => [name, value] as const),
  })
  const long = `${randomUUID()}${'0'.repeat(91)}`
  const mixed = `aa${randomUUID().slice(2)}`
  const field = randomUUID()
  return [
    { name: 'one Idempotency-Key', mark: under(['idempotency-key'], key) },
    {
      name: 'one Idempotency-Key at the same time',
      isAtOnce: true,
      mark: under(['idempotency-key'], randomUUID()),
    },
    { name: 'one X-Idempotency-Key', mark: under(otherNames, randomUUID()) },
    { name: 'one X-Request-Id', mark: under(traceNames, randomUUID()) },
    {
      name: 'one idempotencyKey in body and query',
      mark: (_, userId) => ({
        body: { userId, idempotencyKey: field, idempotency_key: field, requestId: field },
        query: { idempotencyKey: field, idempotency_key: field },
      }),
    },
    {
      name: 'two Idempotency-Keys that differ at their end',
      mark: (place) => under(['idempotency-key'], long + (place === 'first' ? '1' : '2'))(),
    },
    {
      name: 'two Idempotency-Keys that differ in case',
      mark: (place) => under(['idempotency-key'], place === 'first' ? mixed : mixed.toUpperCase())(),
    },
  ]
}

const otherNames = ['x-idempotency-key', 'idempotency-token', 'x-idempotency-token', 'request-token']
const traceNames = ['x-request-id', 'request-id', 'x-correlation-id', 'x-transaction-id', 'x-client-token']

function isUndecided(reply: Reply): boolean {
  return reply.kind === 'no-answer' || isOverloadStatus(reply.status)
}

/** Says whether both requests were under way at once, sent once each. */
export function haveMet([first, second]: readonly [Met, Met]): boolean {
  const overlap = first.reply.sentAt < second.reply.receivedAt && second.reply.sentAt < first.reply.receivedAt
  return overlap && !first.isResent && !second.isResent
}

interface Met {
  readonly reply: Pick<Reply, 'sentAt' | 'receivedAt'>
  readonly isResent: boolean
}

/** Says whether a token holds the other user of its pair, and not its own. */
function isForOther(mint: Mint, { jwt, userId }: Outcome, other: Outcome): boolean {
  const read = jwt === null ? null : readToken(jwt)
  if (read === null || userId === other.userId) return false
  return mint.pathsHolding(read, other.userId).length > 0 && mint.pathsHolding(read, userId).length === 0
}

function describe({ reply, jwt }: Outcome): string {
  if (reply.kind === 'no-answer') return reply.message
  return jwt === null ? `status ${reply.status} without a token` : 'a token'
}
