import { z } from 'zod'
import { ControlLost } from '../../base/inconclusive.ts'
import { onOneLine } from '../../base/printable.ts'
import { functionShape, parseAdapters, promiseShape, type ServeDouble } from './adapter-module.ts'

/** A client may send anything where a text belongs; null where it sent nothing. */
const sentText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === '') return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  })

/** A connection that a double has to decide about. */
const joiningShape = z.object({
  token: sentText,
  /** The userId that it stated besides. */
  userId: sentText,
  /** Settles when this connection has ended, from whichever side. */
  ended: promiseShape,
})

/** The double that an adapter has started. */
const servedShape = z.object({
  /** ws or http, with the path at which the service listens; as http from here on. */
  url: z
    .string()
    .refine((text) => /^(?:ws|http):$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'is no ws or http URL',
    })
    .transform((text) => new URL(text.replace(/^ws/, 'http'))),
  /** Tells every client that has joined that its token is not valid any more; absent where the protocol has no way to. */
  refuseOpen: functionShape<() => unknown>().optional(),
  /** Forgets every connection without a word: of services whose connections outlive their sockets (long polling). */
  dropOpen: functionShape<() => unknown>().optional(),
})

/** @throws ControlLost where what `decide` was given is no connection */
export function readJoining(value: unknown): z.infer<typeof joiningShape> {
  return read(joiningShape, value, 'what serve of the signaling adapter gave to decide')
}

/** The double that an adapter starts. Rejects with ControlLost where it cannot. */
export async function startAdapterDouble(
  serve: ServeDouble,
  surroundings: Parameters<ServeDouble>[0],
): Promise<z.infer<typeof servedShape>> {
  const served: unknown = await Promise.try(() => serve(surroundings)).catch((error: unknown) => {
    throw new ControlLost(`serve of the signaling adapter failed: ${describe(error)}`)
  })
  return read(servedShape, served, 'the result of serve of the signaling adapter')
}

function read<Shape extends z.ZodType>(shape: Shape, value: unknown, what: string): z.infer<Shape> {
  try {
    return parseAdapters(shape, value, 'it')
  } catch (error) {
    throw new ControlLost(`${what} cannot be used: ${describe(error)}`)
  }
}

function describe(error: unknown): string {
  return onOneLine(error instanceof Error ? error.message : String(error))
}
