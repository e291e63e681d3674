import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../base/http/client.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { readToken } from '../../base/tokens/decode.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import { NotServed } from '../engine/subject.ts'
import type { Devices } from './devices.ts'
import type { MintWatch } from './mint-watch.ts'
import { type User, users } from './steps.ts'

/** A backend serves its users within this time. */
const openingMs = 35_000
const betweenTriesMs = 250

interface Service {
  readonly backend: Backend
  readonly devices: Devices
  readonly clock: Clock
  /** How long it may pause after a story; null before the first one. */
  readonly pauseMs: number | null
  /** Nothing between the suite, the backend and the mint double can fail: they share a machine. */
  readonly isLocal: boolean
}

/** Signs all users in and waits until they are served; returns the longest time in which one was, in milliseconds. */
export async function openStory(service: Service, mint: MintWatch): Promise<number> {
  for (const user of users) if (service.devices.canSignIn(user)) await service.devices.signIn(user)
  mint.react('a token that soon expires')
  const until = service.clock.monotonic() + (service.pauseMs ?? openingMs)
  const present = users.filter((user) => service.devices.has(user))
  const served = await Promise.allSettled(present.map((user) => untilServed(service, mint, user, until)))
  mint.react('a token')
  let latencyMs = 0
  for (const outcome of served)
    if (outcome.status === 'rejected') throw outcome.reason
    else latencyMs = Math.max(latencyMs, outcome.value)
  return latencyMs
}

interface Tried {
  readonly reply: Reply
  readonly isServed: boolean
  /** The mint double gave the backend a token meanwhile. */
  readonly wasIssued: boolean
}

async function tryOnce({ backend, devices }: Service, mint: MintWatch, user: User): Promise<Tried> {
  const before = mint.calls().length
  const { session, userId } = await devices.present(user)
  const reply = await backend.request({ session, followRedirects: true })
  const wasIssued = mint
    .calls()
    .slice(before)
    .some((call) => call.issued !== null && call.userId === userId)
  return { reply, isServed: backend.tokenOf(reply) !== null, wasIssued }
}

/** Returns how long the served request took, in milliseconds. */
async function untilServed(service: Service, mint: MintWatch, user: User, until: number): Promise<number> {
  const { devices, clock, pauseMs } = service
  let isNew = false
  for (;;) {
    const sentAt = clock.monotonic()
    const tried = await tryOnce(service, mint, user)
    if (tried.isServed) return clock.monotonic() - sentAt
    // A session may have come to its end.
    if (isRejection(tried.reply) && !isNew && devices.canRenew(user)) {
      isNew = true
      await devices.signIn(user)
      continue
    }
    if (clock.monotonic() >= until) {
      const { session } = await devices.present(user)
      if (pauseMs !== null && !hasExpired(session, clock))
        throw await notServed(service, mint, { ...tried, user, isNew })
      throw new ControlLost(
        `the backend ${cameOf(tried.reply)} for ${user}, signed in, before the story began`,
        [tried.reply.exchange],
      )
    }
    await clock.until(clock.monotonic() + betweenTriesMs)
  }
}

function isRejection(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status === 401 || reply.status === 403)
}

function hasExpired(session: string | null, clock: Clock): boolean {
  const exp = session === null ? undefined : readToken(session)?.claims?.['exp']
  return typeof exp === 'number' && exp * 1_000 <= clock.wall()
}

function cameOf(reply: Reply): string {
  return reply.kind === 'answer' ? `returned ${reply.status} without a token` : reply.message
}

interface Unserved extends Tried {
  readonly user: User
  /** The session was obtained anew. */
  readonly isNew: boolean
}

/** Limits, outages and the network may end service as well: another user and the mint double tell. */
async function notServed(
  service: Service,
  mint: MintWatch,
  { user, isNew, reply, wasIssued }: Unserved,
): Promise<NotServed> {
  const other = users.find((one) => one !== user && service.devices.has(one))
  const servesOther = other !== undefined && (await tryOnce(service, mint, other)).isServed
  const isLimit = readRateLimit(reply) !== null || (reply.kind === 'answer' && reply.status === 403)
  const mayHaveEnded = isRejection(reply) && !isNew
  const isExcluded = servesOther || wasIssued || (service.isLocal && isOwnAnswer(reply)) || isDecision(reply)
  const control = servesOther
    ? `, while ${other} was served`
    : wasIssued
      ? ', though it got a token from the mint'
      : ''
  const came = `${cameOf(reply)} for ${user}, signed in`
  const fix = 'Drop what a failed or abandoned call leaves behind: locks, pending promises and counters.'
  return new NotServed(`the backend ${came}, however long it was asked${control}`, {
    invariant: 'EXP-07',
    level: isLimit || mayHaveEnded || !isExcluded ? 'SHOULD' : undefined,
    saw: `a backend that ${came} since the last story, while the mint answered every call${control}`,
    expected: 'a token (4.2.5)',
    fix: mayHaveEnded
      ? `${fix} The session may have ended as well: backend.sessions.${user}.token.command begins new ones.`
      : fix,
    evidence: [reply.exchange],
  })
}

/** The backend itself answered, and no gateway before it. */
function isOwnAnswer(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status !== 504 && !/^\s*<(?:!doctype|html)/i.test(reply.body)
}

/** Neither a dead part nor a network that failed answers so. */
function isDecision(reply: Reply): boolean {
  return reply.kind === 'answer' && ![502, 503, 504].includes(reply.status)
}
