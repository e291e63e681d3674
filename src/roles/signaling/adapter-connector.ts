import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Attempt, AttemptRequest, OpenSocket, SignalingConnector } from './attempt.ts'
import { createRecorder } from './attempt-recorder.ts'
import { setDeadline } from './deadline.ts'
import { createEventLog, type SignalingEvent } from './event-log.ts'

/**
 * A module that joins a signaling service whose protocol no profile can describe. It exports
 *
 * - `connect(request)`: tries to join once, and resolves to what the service said (`AdapterResult`). Where the service
 *   decides nothing until `signal` aborts, that is `{ accepted: false }`. It rejects only where the service could not
 *   be asked at all (no connection, a defect of the adapter): that is an error of the run, never a refusal.
 * - `declaresUser` (optional): true where the client states `userId` to the service besides the token.
 */
interface Adapter {
  connect(request: AdapterRequest): Promise<AdapterResult>
  readonly declaresUser?: boolean
}

interface AdapterRequest {
  readonly url: string
  /** Null: join without any credential. */
  readonly token: string | null
  /** The userId to declare, where the protocol has a place for it. */
  readonly userId: string | undefined
  /** Aborts when the time to decide is over, and when the connection is not needed any more. */
  readonly signal: AbortSignal
}

interface AdapterResult {
  /** True once the service has let the client in for good, not merely opened a socket. */
  readonly accepted: boolean
  /** The service reported the refusal as 401, in its own way. */
  readonly unauthorized?: boolean | undefined
  /** What happened on the wire, for the record; the suite hides the secrets in it. */
  readonly events?: readonly { readonly type: string; readonly text: string }[] | undefined
  /** Settles when an accepted connection has ended, with how it ended where that is known. */
  readonly ended?: PromiseLike<unknown> | undefined
  /** Ends the connection. */
  readonly close?: (() => unknown) | undefined
}

export interface AdapterConnectorOptions {
  readonly url: string
  /** Absolute. */
  readonly modulePath: string
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  /** How long `connect` may take until its signal aborts. */
  readonly timeoutMs: number
  /** The monotonic instant that recorded times count from; now where absent. */
  readonly runStart?: number
}

/** How long an adapter may take to settle after its signal has aborted, and to close. */
const graceMs = 1000
const keptCharacters = 1_048_576
const eventTypes = ['http', 'open', 'sent', 'frame', 'close', 'error', 'timeout'] as const

const moduleShape = z.object({
  connect: z.custom<Adapter['connect']>((value) => typeof value === 'function', 'is not a function'),
  declaresUser: z.boolean().default(false),
})
const resultShape = z.object({
  accepted: z.boolean(),
  unauthorized: z.boolean().default(false),
  events: z.array(z.object({ type: z.string(), text: z.string() })).default([]),
  ended: z.custom<PromiseLike<unknown>>(isThenable, 'is not a promise').optional(),
  close: z.custom<() => unknown>((value) => typeof value === 'function', 'is not a function').optional(),
})
type Result = z.infer<typeof resultShape>

/**
 * Joins signaling through the user's module. Rejects with a TwotokenError where the module cannot be used, and so
 * does each attempt in which the adapter fails.
 */
export async function createAdapterConnector(options: AdapterConnectorOptions): Promise<SignalingConnector> {
  const { url, modulePath, clock } = options
  const loaded = await import(pathToFileURL(modulePath).href).catch((error: unknown) => {
    throw new TwotokenError('configuration', `the signaling adapter ${modulePath} cannot be loaded`, error)
  })
  const adapter = parse(moduleShape, { ...loaded }, `the signaling adapter ${modulePath}`)
  const record = createRecorder({ ...options, runStart: options.runStart ?? clock.monotonic() })

  const attempt = async (request: AttemptRequest): Promise<Attempt> => {
    const startedAt = clock.monotonic()
    const settle = (verdict: string, result?: Result) => {
      const decidedAt = clock.monotonic()
      const said = result?.events ?? []
      const events = said.map(({ type, text }) => ({ at: decidedAt, type: knownType(type), text }))
      const join = { url, headers: [], protocols: [] }
      const exchange = record({ join, asked: request, startedAt, events, verdict })
      const unauthorized = result?.unauthorized ?? false
      return { exchange, unauthorized, summary: verdict, events, startedAt, decidedAt }
    }
    if (request.headers !== undefined && request.headers.length > 0) {
      const reason = 'a signaling adapter takes no headers'
      return { ...settle(`was not contacted: ${reason}`), outcome: 'untestable', reason }
    }

    const cancellation = new AbortController()
    try {
      const result = await askAdapter(adapter.connect, options, request, cancellation)
      if (result.accepted) {
        const base = settle('was accepted, according to the adapter', result)
        return { ...base, outcome: 'accepted', socket: openSocket(result, clock, cancellation) }
      }
      await close(result, clock, cancellation)
      const base = settle('was refused, according to the adapter', result)
      return { ...base, outcome: 'refused', named: true }
    } catch (error) {
      cancellation.abort()
      throw error
    }
  }
  return { declaresUser: adapter.declaresUser, attempt }
}

/** What the adapter resolves to. Throws a TwotokenError where it fails, or does not settle in time. */
async function askAdapter(
  connect: Adapter['connect'],
  { url, clock, timeoutMs }: AdapterConnectorOptions,
  request: AttemptRequest,
  cancellation: AbortController,
): Promise<Result> {
  const deadlineMs = request.deadlineMs ?? timeoutMs
  const late = Promise.withResolvers<never>()
  const startedAt = clock.monotonic()
  const cancelAbort = setDeadline(clock, startedAt + deadlineMs, () => cancellation.abort())
  const cancelLate = setDeadline(clock, startedAt + deadlineMs + graceMs, () =>
    late.reject(new Error(`it did not settle within ${(deadlineMs + graceMs) / 1000} s`)),
  )
  try {
    const { token, declaredUser: userId } = request
    const connecting = Promise.try(() => connect({ url, token, userId, signal: cancellation.signal }))
    const result = await Promise.race([connecting, late.promise])
    return parse(resultShape, result, 'the result of connect of the signaling adapter')
  } catch (error) {
    if (error instanceof TwotokenError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new TwotokenError(
      'precondition',
      `connect of the signaling adapter failed: ${onOneLine(message)}`,
      error,
    )
  } finally {
    cancelAbort()
    cancelLate()
  }
}

function openSocket(result: Result, clock: Clock, cancellation: AbortController): OpenSocket {
  const log = createEventLog(clock, keptCharacters)
  result.ended?.then(
    (how) => log.push({ type: 'close', ...readEnd(how) }),
    (error: unknown) => log.push({ type: 'error', text: String(error) }),
  )
  return {
    events: log.events,
    ended: log.ended,
    next: log.next,
    send: () => false,
    [Symbol.asyncDispose]: () => close(result, clock, cancellation),
  }
}

/** An adapter that does not close in time, or fails to, is left alone: that changes no verdict. */
async function close({ close: end }: Result, clock: Clock, cancellation: AbortController): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = setDeadline(clock, clock.monotonic() + graceMs, late.resolve)
  await Promise.race([Promise.try(() => end?.()).catch(() => undefined), late.promise])
  cancel()
  cancellation.abort()
}

function readEnd(how: unknown): Pick<SignalingEvent, 'text' | 'code'> {
  const { code, text } = Object(how) as { code?: unknown; text?: unknown }
  return { text: typeof text === 'string' ? text : '', ...(typeof code === 'number' ? { code } : {}) }
}

function knownType(type: string): SignalingEvent['type'] {
  return eventTypes.find((known) => known === type) ?? 'frame'
}

function isThenable(value: unknown): boolean {
  return typeof Object(value).then === 'function'
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown, what: string): z.infer<Shape> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new TwotokenError(
    'configuration',
    `${what} is invalid:\n${z.prettifyError(parsed.error)}`,
    parsed.error,
  )
}
