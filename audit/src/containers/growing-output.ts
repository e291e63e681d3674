/** The output of a decoder. It is as large as the bytes so far, whatever size the file states. */
export interface Output {
  bytes: Buffer
  size: number
  readonly bound: number
}

/** Thrown by a decoder where its input cannot be what a compressor wrote. */
export class CorruptData extends Error {}

class OverBound extends Error {}

export function isOverBound(error: unknown): boolean {
  return error instanceof OverBound
}

const least = 4096
/** Longer runs are copied faster at once. */
const longRun = 48

export function createOutput(bound: number, expected = least): Output {
  return { bytes: Buffer.allocUnsafe(Math.max(0, Math.min(bound, expected))), size: 0, bound }
}

/** Makes room for so many bytes more. @throws where they are over the bound */
function makeRoom(output: Output, count: number): void {
  const needed = output.size + count
  if (needed <= output.bytes.length) return
  if (needed > output.bound) throw new OverBound()
  const larger = Buffer.allocUnsafe(Math.min(output.bound, Math.max(least, needed, output.bytes.length * 2)))
  output.bytes.copy(larger, 0, 0, output.size)
  output.bytes = larger
}

export function append(output: Output, bytes: Uint8Array): void {
  makeRoom(output, bytes.length)
  output.bytes.set(bytes, output.size)
  output.size += bytes.length
}

/** Repeats what was written so far back, which may be what is being written. @throws CorruptData where nothing was */
export function copyBack(output: Output, distance: number, length: number): void {
  if (distance <= 0 || distance > output.size) throw new CorruptData()
  makeRoom(output, length)
  const { bytes } = output
  const start = output.size
  const end = start + length
  output.size = end
  if (length > longRun && distance >= length)
    bytes.copyWithin(start, start - distance, start - distance + length)
  else for (let at = start; at < end; at++) bytes[at] = bytes[at - distance] ?? 0
}
