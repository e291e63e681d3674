/** Kinds of blocks: with the codes of the format, and with codes of their own. */
const [fixed, dynamic] = [1, 2]
/** Limits of a dynamic block: literal codes, distance codes, and the bits of a code for lengths. */
const [mostLiterals, mostDistances, longestLength] = [29, 29, 7]
/** A text begins with as many characters, before anything in it comes again. */
const leastCharacters = 3
/** Where characters are among the codes of the format, which are of eight bits there. */
const [firstCharacter, codesOfEight] = [0x30, 0xbf]

/**
 * Says whether bytes begin like `deflate` data of a text, without a header. Some ten of a thousand random
 * beginnings do. Trying each of them takes far longer.
 */
export function beginsDeflated(bytes: Buffer): boolean {
  let at = 1
  const bit = () => ((bytes[at >> 3] ?? 0) >> (at++ & 7)) & 1
  const bits = (count: number) => {
    let value = 0
    for (let place = 0; place < count; place++) value |= bit() << place
    return value
  }
  const kind = bits(2)
  if (kind === fixed) {
    for (let count = 0; count < leastCharacters; count++) {
      let code = 0
      for (let place = 0; place < 8; place++) code = (code << 1) | bit()
      if (code < firstCharacter || code > codesOfEight || !isPrintable(code - firstCharacter)) return false
    }
    return true
  }
  if (kind !== dynamic || bits(5) > mostLiterals || bits(5) > mostDistances) return false
  // The lengths make a complete code, or no reader takes it.
  let room = 1 << longestLength
  for (let left = bits(4) + 4; left > 0; left--) {
    const length = bits(3)
    if (length > 0) room -= 1 << (longestLength - length)
  }
  return room === 0
}

function isPrintable(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || code === 0x0a || code === 0x09
}
