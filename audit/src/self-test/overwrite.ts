import type { Injected, Wish } from './injector.ts'

export interface Region {
  readonly start: number
  readonly end: number
}

/** How the new string is set apart from what is left of the old one. */
export type Ending = 'zero' | 'quotes'

/**
 * Overwrites strings that are there with canaries of at most their length, so that nothing else moves. With `zero` only
 * strings that end in a zero byte are taken, and what is left of one is zeroed; with `quotes` any printable text will
 * do, and the canary is in quotation marks in it.
 */
export function overwriteStrings(
  bytes: Buffer,
  regions: readonly Region[],
  wishes: readonly Wish[],
  ending: Ending,
): Injected {
  const copy = Buffer.from(bytes)
  const refused = new Map<Wish, string>()
  const hosts = printableRuns(bytes, regions, ending)
  for (const wish of [...wishes].sort((a, b) => b.payload.length - a.payload.length)) {
    const needed = wish.payload.length + 2
    const index = hosts.findIndex(({ start, end }) => end - (start + (start & 1)) >= needed)
    const host = index === -1 ? undefined : hosts.splice(index, 1)[0]
    if (host === undefined) {
      refused.set(wish, `it contains no string of ${needed} bytes to overwrite`)
      continue
    }
    // At an even address, where compilers put strings of 16-bit characters; its first byte is given up for that.
    const start = host.start + (host.start & 1)
    if (ending === 'zero') {
      copy.fill(0, host.start, host.end)
      wish.payload.copy(copy, start)
    } else {
      copy.write('"', start)
      wish.payload.copy(copy, start + 1)
      copy.write('"', start + 1 + wish.payload.length)
    }
  }
  return { bytes: copy, refused }
}

function printableRuns(bytes: Buffer, regions: readonly Region[], ending: Ending): Region[] {
  const runs: Region[] = []
  for (const { start, end } of regions) {
    let from = start
    for (let at = start; at <= end && at <= bytes.length; at++) {
      const byte = at < end ? (bytes[at] ?? 0) : 0
      if (byte >= 0x20 && byte < 0x7f) continue
      const begins = from === start || bytes[from - 1] === 0
      if (at - from >= 34 && (ending === 'quotes' || (byte === 0 && at < end && begins)))
        runs.push({ start: from, end: at })
      from = at + 1
    }
  }
  return runs.sort((a, b) => a.end - a.start - (b.end - b.start))
}
