import { outgoing } from '../base/evidence/redact.ts'
import { onLines } from '../base/printable.ts'

type Write = (text: string) => boolean

const guarded = new WeakMap<NodeJS.WriteStream, Write>()

/**
 * Gives the writer of a stream for the command alone. All else that is written to the stream, by an adapter or a driver in
 * this process, is text of a peer: it has no secrets in it and nothing that a terminal or a CI system follows.
 */
export function guardStream(stream: NodeJS.WriteStream): Write {
  const known = guarded.get(stream)
  if (known !== undefined) return known
  const write = stream.write.bind(stream)
  const own: Write = (text) => write(text)
  guarded.set(stream, own)
  stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    return write(onLines(outgoing.received(text)), ...rest)
  }) as typeof stream.write
  return own
}
