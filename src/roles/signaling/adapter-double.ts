import { z } from 'zod'
import { ControlLost } from '../../base/inconclusive.ts'
import { onOneLine } from '../../base/printable.ts'
import { parseAdapters, promiseShape, type ServeDouble } from './adapter-module.ts'

const joiningShape = z.object({
  token: z.unknown().optional(),
  userId: z.unknown().optional(),
  ended: promiseShape,
})

/** A connection that a double has to decide about. */
export interface Joining {
  /** Value that the client sent as its token, of any form; null where it sent none. */
  readonly token: string | null
  /** The userId that it stated besides. */
  readonly userId: string | null
  /** Settles when this connection has ended, from whichever side. */
  readonly ended: PromiseLike<unknown>
}

const functionShape = z.custom<() => unknown>((value) => typeof value === 'function', 'is not a function')

const servedShape = z.object({
  /** ws or http, with the path at which the service listens. */
  url: z.string().refine((text) => /^(?:ws|http):$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'is no ws or http URL',
  }),
  /** Tells every client that has joined that its token is not valid any more; absent where the protocol has no way to. */
  refuseOpen: functionShape.optional(),
  /** Forgets every connection without a word: of services whose connections outlive their sockets (long polling). */
  dropOpen: functionShape.optional(),
})

/** The double that an adapter has started. */
export interface ServedDouble {
  /** An http address. */
  readonly url: URL
  readonly refuseOpen?: (() => unknown) | undefined
  readonly dropOpen?: (() => unknown) | undefined
}

/** @throws ControlLost where what `decide` was given is no connection */
export function readJoining(value: unknown): Joining {
  const { token, userId, ended } = loseControl('what serve of the signaling adapter gave to decide', () =>
    parseAdapters(joiningShape, value, 'it'),
  )
  return { token: readText(token), userId: readText(userId), ended }
}

/** A client may send anything where a text belongs. */
function readText(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The double that an adapter starts. Rejects with ControlLost where it cannot. */
export async function startAdapterDouble(
  serve: ServeDouble,
  surroundings: Parameters<ServeDouble>[0],
): Promise<ServedDouble> {
  const served: unknown = await Promise.try(() => serve(surroundings)).catch((error: unknown) => {
    throw new ControlLost(`serve of the signaling adapter failed: ${describe(error)}`)
  })
  const { url, ...others } = loseControl('the result of serve of the signaling adapter', () =>
    parseAdapters(servedShape, served, 'it'),
  )
  return { ...others, url: new URL(url.replace(/^ws/, 'http')) }
}

function loseControl<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ControlLost(`${what} cannot be used: ${describe(error)}`)
  }
}

function describe(error: unknown): string {
  return onOneLine(error instanceof Error ? error.message : String(error))
}
