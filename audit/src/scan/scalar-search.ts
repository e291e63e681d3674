import { escapeOf } from './escapes.ts'
import type { Needle } from './needles.ts'
import type { Hits, Searcher } from './search.ts'

/** The search without SIMD: every needle in one pass (Wu and Manber), XOR and escapes in others. */
export function createScalarSearcher(needles: readonly Needle[], prefix: string): Searcher {
  const literals = literalSearch(needles)
  const xored = xorSearch(prefix)
  const isEscape = escapeOf(prefix)
  return {
    search(bytes, hits) {
      literals(bytes, hits)
      xored(bytes, hits)
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        if ((byte === 0x5c || byte === 0x25 || byte === 0x26) && isEscape(bytes, at)) hits.escape(at)
      }
    },
  }
}

type Search = (bytes: Buffer, hits: Hits) => void

function literalSearch(needles: readonly Needle[]): Search {
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
  return (bytes, hits) => {
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
        if (startsAt(bytes, start, needle.bytes)) hits.needle(start, needle)
      end += 1
    }
  }
}

function blockAt(bytes: Uint8Array, end: number): number {
  return ((bytes[end - 1] ?? 0) << 8) | (bytes[end] ?? 0)
}

export function startsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  if (start < 0 || start + needle.length > bytes.length) return false
  for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false
  return true
}

/** The key under which the prefix is at an offset; 0 where it is not, or is there plainly. */
export function xorKeyAt(bytes: Uint8Array, start: number, prefix: Uint8Array): number {
  if (start < 0 || start + prefix.length > bytes.length) return 0
  const key = (bytes[start] as number) ^ (prefix[0] as number)
  for (let at = 1; at < prefix.length; at++)
    if (((bytes[start + at] as number) ^ key) !== (prefix[at] as number)) return 0
  return key
}

function xorSearch(prefix: string): Search {
  const letters = Buffer.from(prefix)
  const width = letters.length - 1
  const differences = Uint8Array.from(
    { length: width },
    (_, at) => (letters[at] ?? 0) ^ (letters[at + 1] ?? 0),
  )
  const skips = new Uint8Array(256).fill(width)
  for (let at = 0; at < width - 1; at++) skips[differences[at] ?? 0] = width - 1 - at
  const last = differences[width - 1] ?? 0
  return (bytes, hits) => {
    const { length } = bytes
    let end = width
    while (end < length) {
      const difference = (bytes[end - 1] as number) ^ (bytes[end] as number)
      if (difference === last) {
        const key = xorKeyAt(bytes, end - width, letters)
        if (key !== 0) hits.xored(end - width, key)
      }
      end += skips[difference] as number
    }
  }
}
