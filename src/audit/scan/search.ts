import type { Needle } from './needles.ts'

/** Finds every needle in one pass (Wu and Manber), and the prefix under any single-byte XOR in another. */
export interface Searcher {
  /** Calls back in ascending order of offsets for each needle. */
  needles(bytes: Uint8Array, found: (offset: number, needle: Needle) => void): void
  /** `key` is never 0. */
  xored(bytes: Uint8Array, found: (offset: number, key: number) => void): void
}

export function createSearcher(needles: readonly Needle[], prefix: string): Searcher {
  const window = Math.min(...needles.map(({ bytes }) => bytes.length))
  const shifts = new Uint8Array(65_536).fill(window - 1)
  const byBlock = new Map<number, Needle[]>()
  for (const needle of needles) {
    for (let end = 1; end < window; end++) {
      const block = blockAt(needle.bytes, end)
      shifts[block] = Math.min(shifts[block] ?? 0, window - 1 - end)
    }
    const last = blockAt(needle.bytes, window - 1)
    byBlock.set(last, [...(byBlock.get(last) ?? []), needle])
  }

  const letters = Buffer.from(prefix)
  const width = letters.length - 1
  const differences = Uint8Array.from(
    { length: width },
    (_, at) => (letters[at] ?? 0) ^ (letters[at + 1] ?? 0),
  )
  const skips = new Uint8Array(256).fill(width)
  for (let at = 0; at < width - 1; at++) skips[differences[at] ?? 0] = width - 1 - at
  const lastDifference = differences[width - 1] ?? 0

  return {
    needles(bytes, found) {
      const { length } = bytes
      let end = window - 1
      while (end < length) {
        const block = ((bytes[end - 1] as number) << 8) | (bytes[end] as number)
        const shift = shifts[block] as number
        if (shift > 0) {
          end += shift
          continue
        }
        const start = end - window + 1
        for (const needle of byBlock.get(block) ?? [])
          if (startsAt(bytes, start, needle.bytes)) found(start, needle)
        end += 1
      }
    },
    xored(bytes, found) {
      const { length } = bytes
      let end = width
      while (end < length) {
        const difference = (bytes[end - 1] as number) ^ (bytes[end] as number)
        if (difference === lastDifference) {
          const start = end - width
          const key = (bytes[start] as number) ^ (letters[0] as number)
          if (key !== 0 && letters.every((letter, at) => ((bytes[start + at] as number) ^ key) === letter))
            found(start, key)
        }
        end += skips[difference] as number
      }
    },
  }
}

function blockAt(bytes: Uint8Array, end: number): number {
  return ((bytes[end - 1] ?? 0) << 8) | (bytes[end] ?? 0)
}

function startsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  if (start + needle.length > bytes.length) return false
  for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false
  return true
}
