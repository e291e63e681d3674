const unit32 = 4
const looked = 16
/** No character is beyond them. */
const planes = 0x11
/** Lists of numbers may begin so as well, and are as long as anything. */
const longest = 16 * 1024 * 1024
const controls = [0x09, 0x0a, 0x0d]

/** A text in UTF-16 with a byte order mark, or in UTF-32 with or without, as UTF-8; `null` for anything else. */
export function fromUtf16(bytes: Buffer): Buffer | null {
  const order = orderOfUtf32(bytes)
  if (order !== null) return fromUtf32(bytes, order)
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  if (!isBig && !(bytes[0] === 0xff && bytes[1] === 0xfe)) return null
  const even = bytes.subarray(2, bytes.length & ~1)
  return Buffer.from((isBig ? Buffer.from(even).swap16() : even).toString('utf16le'))
}

/** Says whether the bytes are such a text. */
export function isWideText(bytes: Buffer): boolean {
  return isUtf16(bytes) || orderOfUtf32(bytes) !== null
}

export function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  return mark === 0xfeff || mark === 0xfffe
}

type Order = 'big' | 'little'

/** Tells UTF-32 by its first characters: the high bytes of each are zero, and one that is not is beside them. */
function orderOfUtf32(bytes: Buffer): Order | null {
  if (bytes.length < looked || bytes.length > longest || bytes.length % unit32 !== 0) return null
  const isIn = (read: (at: number) => number) => {
    for (let at = 0; at < looked; at += unit32) {
      const code = read(at)
      if ((code < 0x20 && !controls.includes(code)) || code >>> 16 >= planes) return false
    }
    return true
  }
  if (isIn((at) => bytes.readUInt32LE(at))) return 'little'
  return isIn((at) => bytes.readUInt32BE(at)) ? 'big' : null
}

/** Units of 16 bits suffice: a key has no character beyond them. */
function fromUtf32(bytes: Buffer, order: Order): Buffer {
  const units = Buffer.allocUnsafe(bytes.length / 2)
  for (let at = 0; at < bytes.length; at += unit32)
    units.writeUInt16LE(order === 'little' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at + 2), at / 2)
  return Buffer.from(units.toString('utf16le'))
}
