import { append, CorruptData, copyBack, createOutput, isOverBound, type Output } from './growing-output.ts'

/**
 * Decodes one LZ4 block, which may repeat what is in the output already. A block does not say where it ends.
 * @param until how large the output is when the block has ended, where that is known
 * @throws CorruptData
 */
export function decodeLz4Block(
  block: Uint8Array,
  output: Output,
  until: number = Number.POSITIVE_INFINITY,
): void {
  let at = 0
  const lengthFrom = (nibble: number) => {
    let length = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block[at++] ?? 0
    return length
  }
  while (at < block.length && output.size < until) {
    const token = block[at++] ?? 0
    const literals = lengthFrom(token >>> 4)
    if (at + literals > block.length) throw new CorruptData()
    append(output, block.subarray(at, at + literals))
    at += literals
    // The last sequence has no match.
    if (at === block.length || output.size === until) return
    const distance = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)
    at += 2
    copyBack(output, distance, lengthFrom(token & 15) + 4)
  }
}

/** One block that comes to so many bytes, whatever follows it; `null` where it does not. */
export function expandLz4Block(block: Uint8Array, size: number): Buffer | null {
  const output = createOutput(size, size)
  try {
    decodeLz4Block(block, output, size)
  } catch (error) {
    if (error instanceof CorruptData || isOverBound(error)) return null
    throw error
  }
  return output.size === size ? output.bytes.subarray(0, size) : null
}
