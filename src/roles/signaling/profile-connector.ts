import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { type Network, secureOptions } from '../../base/http/network.ts'
import { userAgentOf } from '../../base/version.ts'
import type { Attempt, AttemptRequest, NotOpened, OpenSocket, SignalingConnector } from './attempt.ts'
import { createRecorder, type RecorderOptions } from './attempt-recorder.ts'
import { checkProfile, declaresUser } from './check-profile.ts'
import { connect } from './connection.ts'
import { decideOutcome } from './decide-outcome.ts'
import { isEnd } from './event-log.ts'
import { exchangeToken } from './exchange-ticket.ts'
import { buildJoinRequest, type JoinRequest } from './join-request.ts'
import { codecOf } from './message-codec.ts'
import type { SignalingProfile } from './profile.ts'
import { findSign } from './signs.ts'

export interface ProfileConnectorOptions extends RecorderOptions {
  /** A ws or wss address. */
  readonly url: string
  readonly profile: SignalingProfile
  /** Whom it trusts, who it is, and through which proxy it goes. */
  readonly network?: Network | undefined
  /** Largest message that is read from the service. */
  readonly frameBytes: number
  /** Names the run to the service, so that an upgrade is found in its log. */
  readonly run?: string
}

/** A profile, and what its attempts need. */
interface Joining extends ProfileConnectorOptions {
  readonly codec: ReturnType<typeof codecOf>
  readonly secure: ReturnType<typeof secureOptions>
  readonly record: ReturnType<typeof createRecorder>
  /** Exchanges the token for a ticket; null where the profile has none. */
  readonly http: HttpClient | null
}

/** Joins any signaling that a profile describes. Throws a TwotokenError where the profile cannot be used. */
export function createProfileConnector(options: ProfileConnectorOptions): SignalingConnector {
  const { url, profile, frameBytes } = options
  checkProfile(url, profile)
  const codec = codecOf(profile)
  const joining: Joining = {
    ...options,
    codec,
    secure: secureOptions(options.network ?? {}, new URL(url).hostname),
    record: createRecorder(options),
    http:
      profile.ticket === undefined
        ? null
        : createHttpClient({ ...options, deadlineMs: profile.timeoutMs, bodyBytes: frameBytes }),
  }
  return {
    declaresUser: declaresUser(profile),
    signOf(event) {
      if (findSign([...profile.failure, ...profile.unauthorized], event, codec) !== undefined)
        return 'failure'
      return findSign(profile.success, event, codec) === undefined ? null : 'success'
    },
    composeMessages(request) {
      if (profile.again !== undefined) {
        const credential = { jwt: request.token, userId: request.declaredUser ?? null }
        const message = codec.fill(profile.again, credential)
        return message === null ? [] : [message]
      }
      const join = buildJoinRequest(url, profile, request)
      return typeof join === 'string' ? [] : join.messages
    },
    open: (asked) => openSilently(joining, asked),
    attempt: (asked) => attempt(joining, asked),
  }
}

function connectAs(joining: Joining, join: JoinRequest, asked: AttemptRequest, deadlineMs: number) {
  const { secure, network, codec, frameBytes, clock } = joining
  return connect(join, {
    ...secure,
    proxy: network?.proxy,
    codec,
    frameBytes,
    offersCompression: asked.offersCompression,
    localAddress: asked.localAddress,
    deadlineMs,
    clock,
  })
}

async function openSilently(joining: Joining, asked: AttemptRequest): Promise<OpenSocket | NotOpened> {
  const { url, profile, clock, record } = joining
  const join = buildJoinRequest(url, profile, { ...asked, silent: true })
  if (typeof join === 'string') return 'unsendable'
  const startedAt = clock.monotonic()
  const connection = connectAs(joining, join, asked, profile.timeoutMs)
  const first = await connection.log.next((event) => event.type === 'open' || isEnd(event), profile.timeoutMs)
  if (first?.type === 'open')
    return handOver(connection, (verdict) =>
      record({ join, asked, startedAt, events: connection.log.events, verdict }),
    ).socket
  await connection[Symbol.asyncDispose]()
  return first === null ? 'silent' : 'rejected'
}

async function attempt(joining: Joining, asked: AttemptRequest): Promise<Attempt> {
  const { url, profile, clock, record, http } = joining
  const request = http === null ? asked : await exchangeToken(asked, { ...joining, http })
  if ('outcome' in request) return request
  const join = buildJoinRequest(url, profile, request)
  if (typeof join !== 'string')
    return sendAndDecide(joining, join, request, request.deadlineMs ?? profile.timeoutMs)
  const now = clock.monotonic()
  const summary = `was not contacted: ${join}`
  const nothing = { url, headers: [], protocols: [] }
  const exchange = record({ join: nothing, asked: request, startedAt: now, events: [], verdict: summary })
  const base = { exchange, unauthorized: false, summary, events: [], startedAt: now, decidedAt: now }
  return { ...base, outcome: 'untestable', reason: join }
}

async function sendAndDecide(
  joining: Joining,
  plain: JoinRequest,
  asked: AttemptRequest,
  deadlineMs: number,
): Promise<Attempt> {
  const { profile, clock, journal, run, record } = joining
  const startedAt = clock.monotonic()
  const id = journal.reserve()
  const join = run === undefined ? plain : withUserAgent(plain, userAgentOf(run, id))
  const connection = connectAs(joining, join, asked, deadlineMs)
  const decided = await decideOutcome(connection, join, { profile, clock, deadlineMs })
  const isRejection = decided.outcome === 'refused' && !decided.undecided && !decided.unreachable
  const { events } = connection.log
  const exchange = record({ id, join, asked, startedAt, events, verdict: decided.summary, isRejection })
  if (decided.outcome === 'accepted') {
    const recordAgain = (verdict: string) => record({ join, asked, startedAt, events, verdict })
    return { ...decided, exchange, startedAt, ...handOver(connection, recordAgain) }
  }
  const seen = [...events]
  await connection[Symbol.asyncDispose]()
  return { ...decided, exchange, startedAt, events: seen }
}

function withUserAgent(join: JoinRequest, value: string): JoinRequest {
  const isGiven = join.headers.some(([name]) => name.toLowerCase() === 'user-agent')
  return isGiven ? join : { ...join, headers: [...join.headers, ['User-Agent', value]] }
}

function handOver(connection: ReturnType<typeof connect>, evidence: OpenSocket['evidence']) {
  const { log, send, sendFrames, [Symbol.asyncDispose]: close } = connection
  const { events, ended, next } = log
  log.skipSeen()
  const isCompressed = connection.isCompressed()
  const opened = { events, ended, next, send, sendFrames, isCompressed, evidence }
  const socket: OpenSocket = { ...opened, [Symbol.asyncDispose]: close }
  return { events, socket }
}
