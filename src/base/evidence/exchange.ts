import { z } from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { whatIsJudged } from '../judging.ts'
import type { Output } from '../schema/leaves.ts'
import { rejectingStatuses, type Unavailability, unavailabilities } from './transport-fault.ts'

/** Who speaks: the suite itself, one of its doubles, or a part of the implementation. */
const party = z.enum([
  'suite',
  'mint',
  'backend',
  'signaling',
  'mint-double',
  'listener',
  'jwks',
  'client',
  'backend-double',
  'signaling-double',
  // Anything else that a client talks to.
  'web',
])

const headers = z.array(z.tuple([z.string(), z.string()]))
/** Its body is at most a few kilobytes. */
const message = z.object({ headers, body: z.string() })
const fields = z.record(z.string(), z.unknown()).nullable()
/** Header and claims without secrets; `null` where they are no JSON object. */
const tokenParts = z.object({ header: fields, claims: fields })
/** A forged token, and the token of the service that it was made from; without one where none is like it. */
const shownToken = tokenParts.extend({ genuine: tokenParts.optional() })

const origin = z.object({
  /** The case of a requirement, as a noun: "a token with the algorithm \"none\" and an empty signature". */
  case: z.string().optional(),
  /** A forged token, decoded; its signature is left out. */
  token: shownToken.optional(),
})

/**
 * The way to the peer failed, or the peer was overloaded: no answer in time, a reset, a refused connection, 502 to 504,
 * an answer that is cut, endless or too large, an invalid certificate, an invalid frame. A clause that
 * completes "the mint …". It says nothing about a requirement.
 */
const fault = z.string()

/** Times are milliseconds since the run began. */
const conversation = origin.extend({
  id: z.string(),
  from: party,
  to: party,
  at: z.number(),
  durationMs: z.number(),
  fault: fault.optional(),
  unavailable: z.enum(unavailabilities).optional(),
})

const httpExchange = conversation.extend({
  kind: z.literal('http'),
  request: message.extend({ method: z.string(), url: z.string() }),
  response: message.extend({ status: z.number(), statusText: z.string() }).optional(),
  /** Why there is no (whole) response. */
  failure: z.string().optional(),
  /** Other acts of the suite: a transport error that it retried once, a redirect that it followed. */
  notes: z.array(z.string()).optional(),
})

const recordedEvent = z.object({
  at: z.number(),
  type: z.enum(['http', 'open', 'sent', 'frame', 'close', 'error', 'timeout']),
  text: z.string(),
})

const webSocketExchange = conversation.extend({
  kind: z.literal('websocket'),
  request: z.object({ url: z.string(), headers }),
  events: z.array(recordedEvent),
  verdict: z.string(),
})

/** One recorded conversation, as it was; it is hidden where it is written. */
export const exchange = z.discriminatedUnion('kind', [httpExchange, webSocketExchange])

export type Party = z.infer<typeof party>
export type TokenParts = Output<typeof tokenParts>
export type ShownToken = Output<typeof shownToken>
export type ExchangeOrigin = Output<typeof origin>
export type RecordedMessage = Output<typeof message>
export type RecordedEvent = Output<typeof recordedEvent>
export type HttpExchange = Output<typeof httpExchange>
export type WebSocketExchange = Output<typeof webSocketExchange>
export type Exchange = HttpExchange | WebSocketExchange

/** The beginning of a long text, without a last word that may be the beginning of a secret. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text
  let end = characters
  while (end > 0 && /[^\s"']/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end === 0 ? characters : end)
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

export type Journal = ReturnType<typeof createJournal>

export interface FaultyExchange {
  readonly from: Party
  readonly to: Party
  readonly fault: string
}

export interface UnavailableParty {
  readonly party: Party
  readonly unavailable: Unavailability
  /** It refuses connections since it broke these off: it has ended. */
  readonly endedAt?: readonly BrokenOff[] | undefined
}

export interface SentCase {
  readonly exchange: string
  /** As a noun. */
  readonly case: string
}

export interface BrokenOff extends SentCase {
  /** The first exchange that the same end broke off. */
  readonly outage: string
  /** Others were broken off at the same time. */
  readonly isAmongOthers?: true | undefined
}

/** A sentence without its end: "the mint did not answer within 10 s". */
export function describeFault({ to, fault }: FaultyExchange): string {
  return `${partyNames[to] ?? to} ${fault}`
}

const partyNames: Partial<Record<Party, string>> = {
  mint: 'the mint',
  backend: 'the backend',
  'backend-double': "the backend's double",
  'signaling-double': "signaling's double",
}

/** A part broke off these exchanges, and refused connections next. */
interface PartEnd {
  readonly brokenOff: SentCase[]
  refusesSince: number
}

function casesOf({ brokenOff }: PartEnd): BrokenOff[] {
  const outage = brokenOff[0]?.exchange ?? ''
  const isAmongOthers = brokenOff.length > 1 || undefined
  return brokenOff.map((one) => ({ ...one, outage, isAmongOthers }))
}

/**
 * Collects what was exchanged, in order. Its times count from now.
 * @param prefix begins each id, where several processes record for one run
 */
export function createJournal(prefix = 'x', clock: Clock = systemClock) {
  const begun = clock.monotonic()
  let count = 0
  let pending: Exchange[] = []
  const faults = new Map<string, FaultyExchange>()
  const unavailable = new Map<string, UnavailableParty>()
  const parties = new Map<string, Party>()
  const cases = new Map<string, string>()
  const rejections = new Set<string>()
  /** By parties that have answered nothing since. */
  const ends = new Map<Party, PartEnd>()
  const noteUnavailable = (id: string, exchange: WithoutId<Exchange>) => {
    const { to, unavailable: how, case: name, at, durationMs } = exchange
    const end = ends.get(to)
    if (how === undefined) ends.delete(to)
    else if (how === 'broken off' && name !== undefined) {
      const sent = { exchange: id, case: name }
      // An exchange that began before the first refusal belongs to the same end, however late it is recorded.
      if (end !== undefined && at < end.refusesSince) end.brokenOff.push(sent)
      else ends.set(to, { brokenOff: [sent], refusesSince: Number.POSITIVE_INFINITY })
    } else if (how === 'refusing' && end !== undefined)
      end.refusesSince = Math.min(end.refusesSince, at + durationMs)
    if (how !== undefined)
      unavailable.set(id, {
        party: to,
        unavailable: how,
        endedAt: how === 'refusing' && end !== undefined ? casesOf(end) : undefined,
      })
  }
  const reserve = () => {
    count += 1
    const id = `${prefix}${count}`
    whatIsJudged().exchanges?.push(id)
    return id
  }
  /** Milliseconds from the beginning of the journal to a monotonic instant. */
  const since = (instant: number) => Math.round(instant - begun)
  return {
    since,
    /** The times of an exchange that began then, and is over. */
    timesFrom: (instant: number) => ({
      at: since(instant),
      durationMs: Math.round(clock.monotonic() - instant),
    }),
    /** The id of an exchange that goes on for a while and is recorded when it is over. */
    reserve,
    /** Returns the id under which findings refer to the exchange: the given one, or the next. */
    record(exchange: WithoutId<Exchange>, id = reserve()): string {
      pending.push({ id, ...exchange } as Exchange)
      const { from, to, fault } = exchange
      if (fault !== undefined) faults.set(id, { from, to, fault })
      noteUnavailable(id, exchange)
      parties.set(id, to)
      if (exchange.case !== undefined) cases.set(id, exchange.case)
      if (exchange.kind === 'http' && rejectingStatuses.has(exchange.response?.status ?? 0))
        rejections.add(id)
      return id
    },
    /** Notes a fault that was seen after the exchange was recorded. */
    noteFault: (id: string, fault: FaultyExchange) => void faults.set(id, fault),
    /** Notes that the peer of a WebSocket has decided against the client. */
    noteRejection: (id: string) => void rejections.add(id),
    /** The party that decided against a request or a client; null for any other exchange. An attack is rejected, too. */
    rejectedIn: (id: string) => (rejections.has(id) ? (parties.get(id) ?? null) : null),
    /** The fault that kept an exchange from being an answer; null where it was one. */
    faultOf: (id: string) => faults.get(id) ?? null,
    /** The last of these exchanges that sent a case of a requirement to the party; null where none did. */
    lastCaseAt(party: Party, ids: readonly string[]): SentCase | null {
      const exchange = ids.findLast((id) => parties.get(id) === party && cases.has(id))
      return exchange === undefined ? null : { exchange, case: cases.get(exchange) ?? '' }
    },
    /** The party that showed itself unavailable, and how; null for any other exchange. */
    unavailableIn: (id: string) => unavailable.get(id) ?? null,
    /** The exchanges recorded since the last call. */
    drain(): Exchange[] {
      const drained = pending
      pending = []
      return drained
    },
  }
}
