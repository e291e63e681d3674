import { createHash } from 'node:crypto'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Answer, Reply } from '../base/http/client.ts'
import { readToken } from '../base/tokens/decode.ts'
import { flipped, forged, takenApart } from '../base/tokens/forge.ts'
import { lifetimeOf } from '../base/tokens/token-lifetime.ts'
import type { UserSession } from '../roles/backend/types.ts'
import type { Attempt, OpenSocket } from '../roles/signaling/attempt.ts'
import type { StormPlan } from './plan.ts'
import { createTally, increase, noteBreach, noteTime, type Tally } from './tally.ts'
import { askedSeconds, isSuccess, mintToken, namesUser, routeToken, type Target } from './target.ts'

/** A token as a user of the storm holds it. */
interface Held {
  readonly jwt: string
  readonly userId: string
}

/** A token made to be refused. */
interface Lure extends Held {
  readonly name: string
  /** Monotonic milliseconds at which it was first refused; null before. An expired token counts from then on. */
  refusedAt: number | null
  /** Monotonic milliseconds from which on it has expired; null for a forgery. */
  readonly expiredAt: number | null
}

/** One process or thread that makes a part of the load. */
export interface Storm {
  readonly tally: Tally
  readonly target: Target
  readonly plan: StormPlan
  /** Where the claims of tokens that were issued before the load name their user. */
  readonly tells: { readonly route: boolean; readonly mint: boolean }
  /** Seconds by which expiries are off this machine's clock; null where no token states one. */
  readonly usualOffset: number | null
  readonly lures: readonly Lure[]
  /** Digests of the tokens of the storm, and whose they are. */
  readonly owners: Map<string, string>
  /** Sessions that have a socket: a service may let each user have one. */
  readonly joined: Set<string>
  readonly startedAt: number
  /** How busy this thread was before the load. */
  readonly idle: EventLoopUtilization
  turns: number
  places: number
}

/** Every so many turns of a user is an attempt that must fail. */
const attackEvery = 10
/** A clock may be off by so much, and a service may round to minutes. */
const toleranceSeconds = 60
/** Tokens that are remembered, to see that no two users get one. */
const mostOwners = 1_000_000
/** The longest that the load waits for a token to expire first. */
const longestCalmMs = 10_000
const retryWaitsMs = [200, 400, 800, 1600]

/** Gets tokens before the load, to compare with those of the load. */
export async function beginStorm(target: Target, plan: StormPlan): Promise<Storm> {
  const { clock, route } = target
  const begun: Storm = {
    target,
    // The cap is met under load alone.
    plan: { ...plan, profile: 'steady' },
    tally: createTally(clock.wall()),
    tells: { route: false, mint: false },
    usualOffset: null,
    lures: [],
    owners: new Map(),
    joined: new Set(),
    startedAt: clock.monotonic(),
    turns: 0,
    places: 0,
    idle: performance.eventLoopUtilization(),
  }
  const [first] = route?.users ?? []
  const minted = await fromMint(begun, target.newUser())
  const fetched = first === undefined ? null : await fromRoute(begun, first)
  const held = minted ?? fetched
  const lures = held === null ? [] : [...forgeries(held), ...(await expiring(target))]
  // A rejection without load is what one under load is compared with.
  const soon = lures.filter(({ expiredAt }) => (expiredAt ?? 0) < clock.monotonic() + longestCalmMs)
  for (const lure of target.connector === null ? [] : soon) {
    await clock.until(lure.expiredAt ?? 0)
    await attackSignaling(begun, lure)
  }
  const tells = (one: Held | null) => one !== null && namesUser(one.jwt, one.userId) === true
  return {
    ...begun,
    plan,
    lures,
    tells: { route: tells(fetched), mint: tells(minted) },
    usualOffset: minted === null ? null : offsetOf(minted.jwt, clock.wall()),
    // The figures are those of the load.
    tally: createTally(clock.wall()),
    startedAt: clock.monotonic(),
    idle: performance.eventLoopUtilization(),
  }
}

function forgeries({ jwt, userId }: Held): Lure[] {
  const original = takenApart(jwt, userId)
  if (original === null || original.signature.length === 0) return []
  const { signature } = original
  const lure = { userId, refusedAt: null, expiredAt: null }
  const changed = forged(original, {}, flipped(signature, Math.floor(signature.length / 2)))
  return [
    { ...lure, name: 'a token whose signature was changed', jwt: changed },
    {
      ...lure,
      name: 'a token without a signature',
      jwt: forged(original, { header: { alg: 'none' } }, new Uint8Array()),
    },
  ]
}

/** A token that soon expires; it is offered all the time, and counts once it was refused. */
async function expiring({ mint, clock, configuration, newUser }: Target): Promise<Lure[]> {
  const userId = newUser()
  const reply = await mint?.request({ userId, ttlSeconds: mint.minTtlSeconds })
  const jwt = mint === null || reply?.kind !== 'answer' ? null : mintToken(mint, reply)
  if (jwt === null || reply?.kind !== 'answer') return []
  // The mint may grant more than it was asked for.
  const { byClaims } = lifetimeOf(readToken(jwt), reply, clock.wall())
  if (byClaims === null || byClaims > configuration.limits.maxTtlWaitSeconds) return []
  const expiredAt = reply.receivedAt + (byClaims + 1) * 1000
  return [{ name: 'an expired token', jwt, userId, refusedAt: null, expiredAt }]
}

function offsetOf(jwt: string, wallMs: number): number | null {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number' ? exp - askedSeconds - wallMs / 1000 : null
}

/** One user, from the arrival until the storm is over. Never throws for what a part does. */
export async function runUser(storm: Storm): Promise<void> {
  const { plan, target } = storm
  const place = storm.places++
  storm.tally.users += 1
  const users = target.route?.users ?? []
  // With both parts, every other user goes through the backend.
  const isOfRoute = target.mint === null || (users.length > 0 && place % 2 === 0)
  const session = isOfRoute
    ? users[Math.floor(place / (target.mint === null ? 1 : 2)) % users.length]
    : undefined
  const userId = session?.userId ?? target.newUser()
  const obtain = () => (session === undefined ? fromMint(storm, userId) : fromRoute(storm, session))
  const endsAt = storm.startedAt + plan.seconds * 1000
  await pause(storm, plan.thinkMs)
  while (target.clock.monotonic() < endsAt || storm.turns < (plan.leastTurns ?? 0)) {
    storm.turns += 1
    if (storm.turns % attackEvery === 0) await attack(storm)
    else if (plan.profile === 'expiry' || plan.profile === 'restart') await ride(storm, obtain)
    else await takeTurn(storm, obtain)
    await pause(storm, plan.thinkMs)
  }
}

/** A random time around this one, so that users do not march in step. */
function pause({ target: { clock, random } }: Storm, milliseconds: number): Promise<void> {
  return clock.until(clock.monotonic() + milliseconds * (0.5 + random()))
}

async function takeTurn(storm: Storm, obtain: () => Promise<Held | null>): Promise<void> {
  const held = await obtain()
  if (held !== null) await (await join(storm, held))?.[Symbol.asyncDispose]()
}

/** Stays joined until the next wave, in which all users mint or connect again, spread by their jitter. */
async function ride(storm: Storm, obtain: () => Promise<Held | null>): Promise<void> {
  const { plan, target } = storm
  const { clock, random } = target
  const held = await obtain()
  if (held === null) return
  const socket = await join(storm, held)
  const now = clock.monotonic()
  const waves = Math.floor((now - storm.startedAt) / plan.waveMs) + 1
  const wave = Math.min(storm.startedAt + waves * plan.waveMs, storm.startedAt + plan.seconds * 1000)
  await clock.until(wave)
  await socket?.[Symbol.asyncDispose]()
  await clock.until(clock.monotonic() + random() * plan.jitterMs)
  const next = plan.profile === 'expiry' ? await obtain() : held
  if (next !== null) await (await reconnect(storm, next, obtain))?.[Symbol.asyncDispose]()
}

/** As a client does (5.6): a few attempts with growing pauses, then a new token and one more. */
async function reconnect(
  storm: Storm,
  held: Held,
  obtain: () => Promise<Held | null>,
): Promise<OpenSocket | null> {
  for (const waitMs of retryWaitsMs) {
    const socket = await join(storm, held)
    if (socket !== null) return socket
    await pause(storm, waitMs)
  }
  increase(storm.tally.counts, 're-mints')
  const fresh = await obtain()
  return fresh === null ? null : await join(storm, fresh)
}

export async function fromRoute(storm: Storm, user: UserSession): Promise<Held | null> {
  const { target, tally } = storm
  const bearer = user.renew === undefined ? user.token : await user.renew().catch(() => user.token)
  const reply = await target.route?.ask(`Bearer ${bearer}`)
  if (reply === undefined || !isAnswered(storm, 'route', reply)) return null
  const jwt = routeToken(reply)
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
  const reply = await mint.request({ userId, ttlSeconds: askedSeconds, ...(capped && { key: capped }) })
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

/** Null where the user is not let in, or has a socket already. */
export async function join(storm: Storm, { jwt, userId }: Held): Promise<OpenSocket | null> {
  const { tally, target, joined } = storm
  if (target.connector === null || joined.has(userId)) return null
  joined.add(userId)
  const made = await target.connector.attempt({ token: jwt, declaredUser: userId })
  if (made.outcome === 'untestable') {
    joined.delete(userId)
    return null
  }
  noteTime(tally, 'join', made.decidedAt - made.startedAt)
  if (made.outcome === 'refused') {
    joined.delete(userId)
    noteRefusal(storm, made)
    return null
  }
  increase(tally.counts, 'joins')
  if (made.identity !== undefined && made.identity !== userId)
    noteBreach(tally, 'LOAD-01', {
      case: 'signaling',
      saw: 'a join as another user than the one of the token',
      expected: "the token's user (2.1.3)",
      fix: 'Take the user of a connection from its own token.',
    })
  const close = async () => {
    joined.delete(userId)
    await made.socket[Symbol.asyncDispose]()
  }
  return { ...made.socket, [Symbol.asyncDispose]: close }
}

function noteRefusal({ tally }: Storm, made: Extract<Attempt, { outcome: 'refused' }>): void {
  const { type = 'end', code } = made.events.at(-1) ?? {}
  increase(tally.errors, `join ${type}${code === undefined ? '' : ` ${code}`}`)
  if (!made.unauthorized) return
  noteBreach(
    tally,
    'LOAD-05',
    {
      case: 'join 401',
      saw: '401 from signaling for a fresh token',
      expected: '503, or close 1013, where the load is too much (7.3)',
      fix: 'Tell overload from a token that is not valid: after 401 every client mints again.',
    },
    'TYPICAL',
  )
}

/** The next of the attempts that must fail. */
async function attack(storm: Storm): Promise<void> {
  const { target, lures, turns } = storm
  const sessions = invalidSessions(storm)
  const place = Math.floor(turns / attackEvery)
  const joins = target.connector === null ? [] : lures
  const attempts = [
    ...sessions.map(
      ({ name, authorization }) =>
        () =>
          attackRoute(storm, name, authorization),
    ),
    ...joins.map((lure) => () => attackSignaling(storm, lure)),
  ]
  await attempts[place % attempts.length]?.()
}

function invalidSessions({ target }: Storm): readonly { name: string; authorization: string | null }[] {
  const { route, configuration } = target
  if (route === null) return []
  const { expired, signedOut } = configuration.backend?.sessions ?? {}
  return [
    { name: 'no session', authorization: null },
    {
      name: 'a random session',
      authorization: `Bearer ${createHash('sha256').update(`${target.random()}`).digest('base64url')}`,
    },
    ...(expired ? [{ name: 'an expired session', authorization: `Bearer ${expired.token}` }] : []),
    ...(signedOut ? [{ name: 'a signed-out session', authorization: `Bearer ${signedOut.token}` }] : []),
  ]
}

async function attackRoute(
  { target, tally }: Storm,
  name: string,
  authorization: string | null,
): Promise<void> {
  const reply = await target.route?.ask(authorization)
  if (reply?.kind !== 'answer') return
  increase(tally.counts, 'invalid sessions')
  if (routeToken(reply) === null) return
  noteBreach(tally, 'LOAD-02', {
    case: name,
    saw: `a token for ${name}`,
    expected: '401, or any other error (4.2.1)',
    fix: 'Validate the session before anything else answers, whatever the load.',
  })
}

async function attackSignaling({ target, tally }: Storm, lure: Lure): Promise<void> {
  const { clock, connector } = target
  const begunAt = clock.monotonic()
  if (lure.expiredAt !== null && begunAt < lure.expiredAt) return
  const made = await connector?.attempt({ token: lure.jwt, declaredUser: lure.userId })
  if (made === undefined || made.outcome === 'untestable') return
  if (made.outcome === 'refused') {
    const isDecided = made.undecided !== true && made.unreachable !== true
    if (isDecided) lure.refusedAt ??= clock.monotonic()
    if (isDecided) increase(tally.counts, lure.expiredAt === null ? 'forged tokens' : 'expired tokens')
    return
  }
  await made.socket[Symbol.asyncDispose]()
  if (lure.expiredAt !== null && (lure.refusedAt === null || begunAt < lure.refusedAt)) return
  noteBreach(tally, 'LOAD-03', {
    case: lure.name,
    saw: `${lure.name} accepted`,
    expected: 'a rejection (1.3, 3)',
    fix: 'Verify every token, whatever the load: shed connections with 503 instead.',
  })
}

/** The tally as it is now, with the cost of the load so far. */
export function readTally({ tally, target, idle }: Storm): Tally {
  const { active } = performance.eventLoopUtilization(idle)
  return {
    ...tally,
    endedAt: target.clock.wall(),
    busyMs: Math.round(active),
    megabytes: Math.round(process.memoryUsage().rss / 1_048_576),
  }
}
