import { outgoing } from '../base/evidence/redact.ts'
import { onLines } from '../base/printable.ts'

type Write = (text: string) => boolean

const guarded = new WeakMap<NodeJS.WriteStream, { readonly own: Write; readonly guard: Write }>()

/**
 * Gives the writer of a stream for the command alone. All else that is written to the stream, by an adapter or a driver in
 * this process, is text of a peer: it has no secrets in it and nothing that a terminal or a CI system follows.
 */
export function guardStream(stream: NodeJS.WriteStream): Write {
  const known = guarded.get(stream)
  // Another writer may have taken the place of the guard since.
  if (known !== undefined && stream.write === known.guard) return known.own
  const write = stream.write.bind(stream)
  const guard = (chunk: string | Uint8Array, ...rest: []) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    return write(onLines(outgoing.received(text)), ...rest)
  }
  const own: Write = (text) => write(text)
  guarded.set(stream, { own, guard })
  stream.write = guard as typeof stream.write
  return own
}
