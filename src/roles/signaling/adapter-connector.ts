import { z } from 'zod'
import { type Clock, setDeadline } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import { parsePeerJson } from '../../base/parse-peer-json.ts'
import { onOneLine } from '../../base/printable.ts'
import { adapterGraceMs } from '../../base/times.ts'
import {
  type Adapter,
  type AdapterResult,
  answerShape,
  loadAdapter,
  parseAdapters,
  resultShape,
} from './adapter-module.ts'
import type { Attempt, AttemptRequest, OpenSocket, SignalingConnector } from './attempt.ts'
import { createRecorder, type RecorderOptions } from './attempt-recorder.ts'
import { createEventLog, type SignalingEvent } from './event-log.ts'

export interface AdapterConnectorOptions extends RecorderOptions {
  readonly url: string
  /** Absolute. */
  readonly modulePath: string
  /** How long `connect` may take until its signal aborts. */
  readonly timeoutMs: number
}

const keptCharacters = 1_048_576

type Answer = z.infer<typeof answerShape>

/** The word of an adapter, as the frame that a service would send. */
const wordShape = z.object({ adapter: z.object({ accepted: z.boolean() }) })

function eventsOf({ accepted, identity, events }: Answer) {
  const word = { type: 'frame', text: JSON.stringify({ adapter: { accepted, identity } }) } as const
  return [...events, word]
}

/** Reads the word of an adapter out of the frame; null for any other. */
function signOfWord({ type, text }: SignalingEvent): 'success' | 'failure' | null {
  if (type !== 'frame' || !text.startsWith('{"adapter":')) return null
  const { success, data } = wordShape.safeParse(parsePeerJson(text))
  if (!success) return null
  return data.adapter.accepted ? 'success' : 'failure'
}

/** Throws a TwotokenError where the module cannot be used, and in each attempt in which the adapter fails. */
export async function createAdapterConnector(options: AdapterConnectorOptions): Promise<SignalingConnector> {
  const { url, modulePath, clock } = options
  const adapter = await loadAdapter(modulePath)
  const record = createRecorder(options)

  const attempt = async (request: AttemptRequest): Promise<Attempt> => {
    const startedAt = clock.monotonic()
    const settle = (verdict: string, result?: AdapterResult) => {
      const decidedAt = clock.monotonic()
      const said = result === undefined ? [] : eventsOf(result)
      // Only who sends again is compared with the first answer.
      const told = result?.resend === undefined ? said.slice(0, -1) : said
      const events = told.map((event) => ({ at: decidedAt, ...event }))
      const join = { url, headers: [], protocols: [] }
      const isRejection = result?.accepted === false
      const exchange = record({ join, asked: request, startedAt, events, verdict, isRejection })
      const unauthorized = result?.unauthorized ?? false
      return { exchange, unauthorized, summary: verdict, events, startedAt, decidedAt }
    }
    if ((request.headers ?? []).length > 0 || (request.query ?? []).length > 0) {
      const reason = 'a signaling adapter takes no headers and no query'
      return { ...settle(`was not contacted: ${reason}`), outcome: 'untestable', reason }
    }

    const cancellation = new AbortController()
    try {
      const result = await askAdapter(adapter.connect, options, request, cancellation)
      if (result.accepted) {
        const base = settle('was accepted, according to the adapter', result)
        const socket = {
          ...openSocket(result, clock, cancellation),
          evidence: (verdict: string) => settle(verdict, result).exchange,
        }
        return { ...base, outcome: 'accepted', socket, identity: result.identity }
      }
      await close(result, clock, cancellation)
      const base = settle('was refused, according to the adapter', result)
      return { ...base, outcome: 'refused', named: true }
    } catch (error) {
      cancellation.abort()
      throw error
    }
  }
  return {
    declaresUser: adapter.declaresUser,
    attempt,
    open: () => Promise.resolve('unsendable'),
    composeMessages: () => [],
    signOf: signOfWord,
  }
}

/** Throws a TwotokenError where `connect` fails, or does not settle in time. */
async function askAdapter(
  connect: Adapter['connect'],
  { url, clock, timeoutMs }: AdapterConnectorOptions,
  request: AttemptRequest,
  cancellation: AbortController,
): Promise<AdapterResult> {
  const deadlineMs = request.deadlineMs ?? timeoutMs
  const late = Promise.withResolvers<never>()
  const startedAt = clock.monotonic()
  const cancelAbort = setDeadline(clock, startedAt + deadlineMs, () => cancellation.abort())
  const cancelLate = setDeadline(clock, startedAt + deadlineMs + adapterGraceMs, () =>
    late.reject(new Error(`it did not settle within ${(deadlineMs + adapterGraceMs) / 1000} s`)),
  )
  try {
    const { token, declaredUser: userId } = request
    const connecting = Promise.try(() => connect({ url, token, userId, signal: cancellation.signal }))
    const result = await Promise.race([connecting, late.promise])
    return parseAdapters(resultShape, result, 'the result of connect of the signaling adapter')
  } catch (error) {
    throw failed('connect', error)
  } finally {
    cancelAbort()
    cancelLate()
  }
}

function failed(name: string, error: unknown): TwotokenError {
  if (error instanceof TwotokenError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new TwotokenError(
    'precondition',
    `${name} of the signaling adapter failed: ${onOneLine(message)}`,
    error,
  )
}

function openSocket(
  result: AdapterResult,
  clock: Clock,
  cancellation: AbortController,
): Omit<OpenSocket, 'evidence'> {
  const log = createEventLog(clock, keptCharacters)
  result.ended?.then(
    (how) => log.push({ type: 'close', ...readEnd(how) }),
    (error: unknown) => log.push({ type: 'error', text: String(error) }),
  )
  let failure: unknown = null
  const { resend } = result
  return {
    resend:
      resend &&
      ((credential) => {
        log.push({ type: 'sent', text: JSON.stringify(credential) })
        Promise.try(() => resend(credential))
          .then((said) => parseAdapters(answerShape, said, 'the result of resend of the signaling adapter'))
          .then(
            (answer) => {
              for (const event of eventsOf(answer)) log.push(event)
            },
            (error: unknown) => {
              failure = error
            },
          )
      }),
    events: log.events,
    ended: log.ended,
    next: log.next,
    send: () => false,
    sendFrames: () => Promise.resolve(null),
    isCompressed: false,
    async [Symbol.asyncDispose]() {
      await close(result, clock, cancellation)
      if (failure !== null) throw failed('resend', failure)
    },
  }
}

/** An adapter that does not close in time, or fails to, is left alone: that changes no verdict. */
async function close(
  { close: end }: AdapterResult,
  clock: Clock,
  cancellation: AbortController,
): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = setDeadline(clock, clock.monotonic() + adapterGraceMs, late.resolve)
  await Promise.race([Promise.try(() => end?.()).catch(() => undefined), late.promise])
  cancel()
  cancellation.abort()
}

function readEnd(how: unknown): Pick<SignalingEvent, 'text' | 'code'> {
  const { code, text } = Object(how) as { code?: unknown; text?: unknown }
  return { text: typeof text === 'string' ? text : '', code: typeof code === 'number' ? code : undefined }
}
