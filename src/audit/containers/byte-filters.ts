/** What compressors do to bytes before they compress them, undone in place. */

const allowed = [true, true, true, false, true, false, false, false]
const bitNumber = [0, 1, 2, 2, 3, 3, 3, 3]
const isSign = (byte: number | undefined) => byte === 0 || byte === 0xff

/** Addresses of calls in x86 code become distances again. Follows the LZMA SDK's BCJ filter, whose rules say which were changed. */
export function restoreBranches(data: Buffer): void {
  let mask = 0
  let last = -1
  for (let at = 0; at + 4 < data.length; ) {
    if (((data[at] ?? 0) & 0xfe) !== 0xe8) {
      at += 1
      continue
    }
    const gap = at - last
    mask = gap > 3 ? 0 : (mask << (gap - 1)) & 7
    last = at
    const isBlocked = mask !== 0 && (allowed[mask] !== true || isSign(data[at + 4 - (bitNumber[mask] ?? 0)]))
    if (isBlocked || !isSign(data[at + 4])) {
      mask = ((mask << 1) & 7) | 1
      at += 1
      continue
    }
    data.writeInt32LE(distanceOf(data.readInt32LE(at + 1), at + 5, mask), at + 1)
    at += 5
  }
}

function distanceOf(address: number, position: number, mask: number): number {
  let source = address
  let distance = (source - position) | 0
  const index = (bitNumber[mask] ?? 0) * 8
  while (mask !== 0 && isSign((distance >>> (24 - index)) & 0xff)) {
    source = distance ^ ((2 ** (32 - index) - 1) | 0)
    distance = (source - position) | 0
  }
  // The highest byte is a sign alone.
  return (distance & 0x01ff_ffff) | ((distance & 0x0100_0000) === 0 ? 0 : 0xff00_0000 | 0)
}

/** Each byte is the difference from the one so far before it. */
export function restoreDifferences(bytes: Buffer, distance: number): void {
  for (let at = distance; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) + (bytes[at - distance] ?? 0)
}

/** The same for ARM: calls whose condition is "always". */
export function restoreArm(data: Buffer): void {
  for (let at = 0; at + 4 <= data.length; at += 4)
    if (data[at + 3] === 0xeb)
      data.writeUIntLE((data.readUIntLE(at, 3) - ((at + 8) >>> 2)) & 0xff_ffff, at, 3)
}

/** Calls of two halves. */
export function restoreThumb(data: Buffer): void {
  for (let at = 0; at + 4 <= data.length; at += 2) {
    const [high, low] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
    if ((high & 0xf800) !== 0xf000 || (low & 0xf800) !== 0xf800) continue
    const address = (((high & 0x7ff) << 11) | (low & 0x7ff)) - ((at + 4) >>> 1)
    data.writeUInt16LE(0xf000 | ((address >>> 11) & 0x7ff), at)
    data.writeUInt16LE(0xf800 | (address & 0x7ff), at + 2)
    at += 2
  }
}

export function restorePowerPc(data: Buffer): void {
  for (let at = 0; at + 4 <= data.length; at += 4) {
    const code = data.readUInt32BE(at)
    if (code >>> 26 !== 0x12 || (code & 3) !== 1) continue
    data.writeUInt32BE((0x4800_0001 | (((code & 0x3ff_fffc) - at) & 0x3ff_fffc)) >>> 0, at)
  }
}

/** Calls, and addresses of pages that are not far away. */
export function restoreArm64(data: Buffer): void {
  for (let at = 0; at + 4 <= data.length; at += 4) {
    const code = data.readUInt32LE(at)
    if (code >>> 26 === 0x25) data.writeUInt32LE((0x9400_0000 | ((code - (at >>> 2)) & 0x3ff_ffff)) >>> 0, at)
    else if ((code & 0x9f00_0000) >>> 0 === 0x9000_0000) {
      const page = ((code >>> 29) & 3) | ((code >>> 3) & 0x1f_fffc)
      if (((page + 0x2_0000) & 0x1c_0000) !== 0) continue
      const distance = page - (at >>> 12)
      const sign = (distance & 0x2_0000) === 0 ? 0 : 0xe0_0000
      const digits = ((distance & 3) << 29) | ((distance & 0x3_fffc) << 3)
      data.writeUInt32LE(((code & 0x9000_001f) | digits | sign) >>> 0, at)
    }
  }
}
