import type { OpeningOf } from './container-format.ts'

const mark = Buffer.from('XALZ')
const headBytes = 12

export const assemblies: OpeningOf<'members'> = {
  opens: 'members',
  name: 'assemblies',
  begins: ['XALZ', 'XABA'].map((text) => Buffer.from(text)),
  read: readAssemblies,
}

/** One assembly of a Xamarin or .NET app; `bytes` is `null` where it cannot be decompressed. */
interface Assembly {
  readonly name: string
  readonly bytes: Buffer | null
}

/**
 * Compressed assemblies: a file of one, a store of many, or a store inside a library. Each begins with a mark, its
 * number, and its size. `bound` is how large one may become.
 */
function* readAssemblies(name: string, bytes: Buffer, bound: number): Generator<Assembly> {
  const head = bytes.toString('latin1', 0, 4)
  const isStore = head === 'XABA' || (head === '\x7fELF' && /assembl/i.test(name))
  if (head !== 'XALZ' && !isStore) return
  let wasted = 0
  for (let at = bytes.indexOf(mark); at !== -1; at = isStore ? bytes.indexOf(mark, at + headBytes) : -1) {
    if (at + headBytes > bytes.length) return
    const [index, size] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)]
    // Marks that lead to nothing are not tried for ever.
    const isTried = size <= bound && wasted <= bound
    const expanded = isTried ? expandLz4(bytes.subarray(at + headBytes), size) : null
    if (isTried && expanded === null) wasted += size
    yield { name: isStore ? `assembly ${index}` : name, bytes: expanded }
  }
}

/**
 * Decompresses one LZ4 block that comes to so many bytes; `null` where it does not. A block does not say where it ends:
 * it ends when there is enough.
 */
export function expandLz4(block: Uint8Array, size: number): Buffer | null {
  const out = Buffer.allocUnsafe(size)
  let at = 0
  let filled = 0
  const lengthFrom = (nibble: number) => {
    let length = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block[at++] ?? 0
    return length
  }
  while (filled < size) {
    const token = block[at++]
    if (token === undefined) return null
    const literals = lengthFrom(token >>> 4)
    if (at + literals > block.length || filled + literals > size) return null
    out.set(block.subarray(at, at + literals), filled)
    at += literals
    filled += literals
    if (filled === size) break
    const distance = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)
    at += 2
    const length = lengthFrom(token & 15) + 4
    if (distance === 0 || distance > filled || filled + length > size) return null
    // What is copied may be what the copy has just written.
    for (let end = filled + length; filled < end; filled++) out[filled] = out[filled - distance] ?? 0
  }
  return out
}
