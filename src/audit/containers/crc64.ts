/** The checksum that xz uses (ECMA-182, reflected), in two halves of 32 bits each. */

const polynomial = [0xc96c5795, 0xd7870f42] as const
const [highs, lows] = createTables()

function createTables(): readonly [Uint32Array, Uint32Array] {
  const tables = [new Uint32Array(256), new Uint32Array(256)] as const
  for (let index = 0; index < 256; index++) {
    let [high, low] = [0, index]
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) === 1
      low = (low >>> 1) | (high << 31)
      high >>>= 1
      if (isOdd) {
        high ^= polynomial[0]
        low ^= polynomial[1]
      }
    }
    tables[0][index] = high
    tables[1][index] = low
  }
  return tables
}

/** In hexadecimal, in little endian, as a file contains it. */
export function crc64(bytes: Uint8Array): string {
  let [high, low] = [-1, -1]
  for (let at = 0; at < bytes.length; at++) {
    const index = (low ^ (bytes[at] ?? 0)) & 0xff
    low = ((low >>> 8) | (high << 24)) ^ (lows[index] ?? 0)
    high = (high >>> 8) ^ (highs[index] ?? 0)
  }
  const sum = Buffer.alloc(8)
  sum.writeInt32LE(~low, 0)
  sum.writeInt32LE(~high, 4)
  return sum.toString('hex')
}
