import { z } from 'zod'
import { TwotokenError } from '../../base/errors.ts'
import { importUserModule } from '../../base/user-modules.ts'

/**
 * A module that joins a signaling service whose protocol no profile can describe. It exports
 *
 * - `connect(request)`: tries to join once, and resolves to what the service said (`AdapterResult`). Where the service
 *   decides nothing until `signal` aborts, that is `{ accepted: false }`. It rejects only where the service could not
 *   be asked at all (no connection, a defect of the adapter): that is an error of the run, never a refusal.
 * - `declaresUser` (optional): true where the client states `userId` to the service besides the token.
 * - `serve(surroundings)` (optional): starts a double of the service, with which clients are judged.
 */
export interface Adapter {
  connect(request: AdapterRequest): Promise<z.input<typeof resultShape>>
  readonly declaresUser: boolean
  readonly serve?: ServeDouble | undefined
}

export interface AdapterRequest {
  readonly url: string
  /** Null: join without any credential. */
  readonly token: string | null
  /** The userId to declare, where the protocol has a place for it. */
  readonly userId: string | undefined
  /** Aborts when the time to decide is over, and when the connection is not needed any more. */
  readonly signal: AbortSignal
}

export const promiseShape = z.custom<PromiseLike<unknown>>(
  (value) => typeof Object(value).then === 'function',
  'is not a promise',
)

export function functionShape<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'is not a function')
}

const eventTypes = ['http', 'open', 'sent', 'frame', 'close', 'error', 'timeout'] as const

/** The answer of the service to a credential. */
export const answerShape = z.object({
  /** True once the service has let the client in for good, not merely opened a socket. */
  accepted: z.boolean(),
  /** The userId as which the service let the client in, where the service says so. */
  identity: z.string().min(1).optional(),
  /** Events on the wire, for the record; the suite hides the secrets in them. */
  events: z.array(z.object({ type: z.enum(eventTypes).catch('frame'), text: z.string() })).default([]),
})

export const resultShape = answerShape.extend({
  /** The service reported the refusal as 401, in its own way. */
  unauthorized: z.boolean().default(false),
  /** Settles when an accepted connection has ended, with how it ended where that is known. */
  ended: promiseShape.optional(),
  close: functionShape<() => unknown>().optional(),
  /**
   * Sends another credential on the open connection, where the protocol has a message for it: without a token where that is
   * null, and with the userId where it has a place for it. Resolves to the answer, `{ accepted: false }` where there is none.
   */
  resend: functionShape<Resend>().optional(),
})
type Resend = (credential: { readonly token: string | null; readonly userId: string }) => unknown
export type AdapterResult = z.infer<typeof resultShape>

/**
 * Type of the optional export `serve` of an adapter. It starts a server that speaks as the service does, at
 * an address of this machine. It resolves to that server (`ServedDouble`). It asks `decide` about each client
 * that wants to join, and does as `decide` says. It ends when `signal` aborts.
 */
export type ServeDouble = (surroundings: {
  readonly decide: Decide
  readonly signal: AbortSignal
}) => Promise<unknown>

export type Decide = (joining: unknown) => Promise<Decision>

/** Not accepted: the double says so as the service says that a token is not valid (401). */
export interface Decision {
  readonly accepted: boolean
  /** User id of the token, for a service that says so when it accepts. */
  readonly userId: string
}

const moduleShape = z.object({
  connect: functionShape<Adapter['connect']>(),
  declaresUser: z.boolean().default(false),
  serve: functionShape<ServeDouble>().optional(),
})

/** @param modulePath absolute @throws TwotokenError `configuration` where the module cannot be used */
export async function loadAdapter(modulePath: string): Promise<Adapter> {
  const loaded = await importUserModule('signaling.adapter', modulePath)
  return parseAdapters(moduleShape, { ...loaded }, `the signaling adapter ${modulePath}`)
}

/** Parses the value that an adapter gives. Throws a TwotokenError where it has another shape. */
export function parseAdapters<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  what: string,
): z.infer<Shape> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new TwotokenError(
    'configuration',
    `${what} is invalid:\n${z.prettifyError(parsed.error)}`,
    parsed.error,
  )
}
