import { createHash } from 'node:crypto'

const stringDataType = 0x2002
const mapType = 0x1000

/** The length in UTF-16 units, the text in MUTF-8, and a zero. */
export function stringItem(bytes: Buffer, at: number): Buffer {
  let start = at
  while (bytes.readUInt8(start) >= 0x80) start += 1
  return bytes.subarray(at, bytes.indexOf(0, start + 1) + 1)
}

/** Writes all string data anew at the end of the file, and the map, the checksum and the signature after it. */
export function rewritten(body: Buffer, items: readonly Buffer[], table: number): Buffer {
  const mapAt = body.readUInt32LE(52)
  const rows = Array.from({ length: body.readUInt32LE(mapAt) }, (_, row) => {
    const at = mapAt + 4 + row * 12
    return { type: body.readUInt16LE(at), size: body.readUInt32LE(at + 4), offset: body.readUInt32LE(at + 8) }
  })
  // The rest of the old data is padding, which has to be zero.
  items.forEach((_, index) => {
    const at = body.readUInt32LE(table + index * 4)
    body.fill(0, at, at + stringItem(body, at).length)
  })
  body.fill(0, mapAt, mapAt + 4 + rows.length * 12)
  let at = body.length
  items.forEach((item, index) => {
    body.writeUInt32LE(at, table + index * 4)
    at += item.length
  })
  const padding = Buffer.alloc((4 - (at & 3)) & 3)
  const newMapAt = at + padding.length
  const moved = rows
    .map((row) => {
      if (row.type === stringDataType) return { ...row, offset: body.length }
      return row.type === mapType ? { ...row, offset: newMapAt } : row
    })
    .sort((a, b) => a.offset - b.offset)
  const map = Buffer.alloc(4 + moved.length * 12)
  map.writeUInt32LE(moved.length)
  moved.forEach(({ type, size, offset }, row) => {
    map.writeUInt16LE(type, 4 + row * 12)
    map.writeUInt32LE(size, 8 + row * 12)
    map.writeUInt32LE(offset, 12 + row * 12)
  })
  const whole = Buffer.concat([body, ...items, padding, map])
  whole.writeUInt32LE(whole.length, 32)
  whole.writeUInt32LE(newMapAt, 52)
  whole.writeUInt32LE(whole.length - whole.readUInt32LE(108), 104)
  createHash('sha1').update(whole.subarray(32)).digest().copy(whole, 12)
  whole.writeUInt32LE(adler32(whole.subarray(12)), 8)
  return whole
}

function adler32(bytes: Buffer): number {
  let [a, b] = [1, 0]
  for (let at = 0; at < bytes.length; ) {
    // So many steps stay within what a number holds exactly before the remainder is taken.
    for (const end = Math.min(bytes.length, at + 3800); at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65_521
    b %= 65_521
  }
  return ((b << 16) | a) >>> 0
}
