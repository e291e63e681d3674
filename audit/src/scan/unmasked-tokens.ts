/** Differences of neighbours, which a mask leaves as they are: those of `eyJ`, `eyA` and `v1/`. */
const fromE = 0x65 ^ 0x79
const toJ = 0x79 ^ 0x4a
const toA = 0x79 ^ 0x41
const fromV = 0x76 ^ 0x31
const toSlash = 0x31 ^ 0x2f

/** As many bytes tell a token or the path of the mint from other bytes. */
const looked = 20
const telling = /^ey[JA][\w-]{17}|^v1\/calling\/token/

/** More masks than one value needs. */
const mostMasks = 8

/**
 * The bytes of a value without its single-byte mask where that shows a JWT or the path of the mint endpoint; once for
 * each mask. The prefix of a key is found under a mask by the search itself.
 */
export function* unmaskedTokens(bytes: Buffer): Generator<Buffer> {
  const masks = new Set<number>()
  for (let at = nextMasked(bytes, 0); at !== -1 && masks.size < mostMasks; at = nextMasked(bytes, at + 1)) {
    const mask = maskAt(bytes, at)
    if (masks.has(mask)) continue
    if (!telling.test(unmask(bytes.subarray(at, at + looked), mask).toString('latin1'))) continue
    masks.add(mask)
    yield unmask(bytes, mask)
  }
}

/** The next place where something may begin under a mask. A function by itself: each byte of a value passes through here. */
function nextMasked(bytes: Buffer, from: number): number {
  for (let at = from; at + 2 < bytes.length; at++) if (maskAt(bytes, at) !== 0) return at
  return -1
}

/** The mask under which something may begin here; 0 where nothing does. */
function maskAt(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  const second = bytes[at + 1] as number
  const difference = first ^ second
  if (difference !== fromE && difference !== fromV) return 0
  const next = second ^ (bytes[at + 2] as number)
  if (difference === fromV) return next === toSlash ? first ^ 0x76 : 0
  return next === toJ || next === toA ? first ^ 0x65 : 0
}

function unmask(bytes: Buffer, mask: number): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ mask))
}
