import { createHash } from 'node:crypto'
import type { Answer, Reply } from '../base/http/client.ts'
import { readToken } from '../base/tokens/decode.ts'
import type { UserSession } from '../roles/backend/types.ts'
import type { Held, Storm } from './storm.ts'
import { increase, noteBreach, noteTime } from './tally.ts'
import { askedSeconds, isSuccess, mintToken, namesUser } from './target.ts'

/** A clock may be off by so much, and a service may round to minutes. */
const toleranceSeconds = 60
/** Tokens that are remembered, to see that no two users get one. */
const mostOwners = 1_000_000

export async function fromRoute(storm: Storm, user: UserSession): Promise<Held | null> {
  const { target, tally } = storm
  const bearer = user.renew === undefined ? user.token : await user.renew().catch(() => user.token)
  const reply = await target.route?.ask(`Bearer ${bearer}`, user.userId)
  if (reply === undefined || !isAnswered(storm, 'route', reply)) return null
  const jwt = target.route?.tokenOf(reply) ?? null
  if (jwt === null) return judgeStatus(storm, 'route', reply)
  increase(tally.counts, 'route tokens')
  const held = { jwt, userId: user.userId }
  judgeOwner(storm, held, 'route')
  return held
}

export async function fromMint(storm: Storm, userId: string): Promise<Held | null> {
  const { target, tally, plan } = storm
  const { mint, clock, configuration } = target
  const capped = plan.profile === 'cap' ? configuration.mint?.keys.capped?.key : undefined
  if (mint === null) return null
  const reply = await mint.request({ userId, ttlSeconds: askedSeconds, key: capped })
  if (!isAnswered(storm, 'mint', reply)) return null
  const jwt = mintToken(mint, reply)
  if (capped !== undefined) {
    increase(tally.counts, 'capped calls')
    if (jwt === null) return null
    noteBreach(tally, 'LOAD-05', {
      case: 'the cap',
      saw: 'a token for a key whose cap is reached',
      expected: 'an error, 429 as a rule (7)',
      fix: 'Count tokens in one place for all workers, before one is issued.',
    })
  }
  if (jwt === null) return judgeStatus(storm, 'mint', reply)
  increase(tally.counts, 'mint tokens')
  judgeOwner(storm, { jwt, userId }, 'mint')
  judgeLifetime(storm, jwt, (reply.receivedAt - reply.sentAt) / 1000, clock.wall())
  return { jwt, userId }
}

function isAnswered(storm: Storm, step: 'route' | 'mint', reply: Reply): reply is Answer {
  noteTime(storm.tally, step, reply.receivedAt - reply.sentAt)
  if (reply.kind === 'answer') return true
  increase(storm.tally.errors, `${step} ${reply.failure}`)
  return false
}

const partNames = { route: 'the token route', mint: 'the mint' } as const

/** Statuses that say that there is too much, or something wrong with the account; every 5xx does, too. */
const loadStatuses = new Set([402, 403, 408, 429])

function judgeStatus({ tally }: Storm, step: 'route' | 'mint', reply: Answer): null {
  increase(tally.errors, `${step} ${reply.status}`)
  const part = partNames[step]
  if (isSuccess(reply))
    noteBreach(tally, 'LOAD-05', {
      case: `${step} ${reply.status}`,
      saw: `${reply.status} without a token from ${part}`,
      expected: 'a token, or an error (4.1, 4.2.4, 4.2.5)',
      fix: 'Answer with an error, such as 503, where there is no token.',
    })
  else if (reply.status < 500 && !loadStatuses.has(reply.status))
    noteBreach(
      tally,
      'LOAD-05',
      {
        case: `${step} ${reply.status}`,
        saw: `${reply.status} from ${part} for a request that is in order`,
        expected: '429 or 503 where the load is too much',
        fix: 'Say that the load is too much with 429 or 503: clients take other statuses for an answer to what they sent.',
      },
      'TYPICAL',
    )
  return null
}

function judgeOwner(storm: Storm, { jwt, userId }: Held, part: 'route' | 'mint'): void {
  const { tally, owners } = storm
  increase(tally.counts, 'owners judged')
  const digest = createHash('sha256').update(jwt).digest('base64url').slice(0, 16)
  const owner = owners.get(digest) ?? userId
  if (owners.size < mostOwners) owners.set(digest, owner)
  if (owner === userId && !(storm.tells[part] && namesUser(jwt, userId) === false)) return
  noteBreach(tally, 'LOAD-01', {
    case: partNames[part],
    saw: `a token of another user from ${partNames[part]}`,
    expected: "the user's own token (2.1.4, 4.2.2)",
    fix: 'Share no variable between requests, and key caches by the whole userId.',
  })
}

function judgeLifetime(storm: Storm, jwt: string, tookSeconds: number, wallMs: number): void {
  const { tally, usualOffset } = storm
  const offset = offsetOf(jwt, wallMs)
  if (offset === null || usualOffset === null) return
  increase(tally.counts, 'lifetimes judged')
  const off = offset - usualOffset
  if (off <= toleranceSeconds && off >= -toleranceSeconds - tookSeconds) return
  noteBreach(tally, 'LOAD-04', {
    case: off > 0 ? 'too long' : 'too short',
    saw: `a token that expires more than ${toleranceSeconds} s ${off > 0 ? 'later' : 'earlier'} than one issued before the load`,
    expected: 'the lifetime that was asked for (2.2)',
    fix: 'Read the clock for each token, and keep it in step on every machine.',
  })
}

/** Seconds by which the expiry of a token is off this machine's clock; null where it states none. */
export function offsetOf(jwt: string, wallMs: number): number | null {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number' ? exp - askedSeconds - wallMs / 1000 : null
}
