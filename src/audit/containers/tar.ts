/** One file of a tar archive; directories and links have no bytes of their own. */
export interface TarEntry {
  readonly name: Buffer
  readonly bytes: Buffer
}

/** `true` where the first header's checksum holds. */
export function isTar(bytes: Buffer): boolean {
  return bytes.length >= 512 && checksumHolds(bytes, 0)
}

/** Reads ustar, GNU and pax archives. @returns `isWhole: false` where the archive is cut off. */
export function readTar(bytes: Buffer): { entries: TarEntry[]; isWhole: boolean } {
  const entries: TarEntry[] = []
  let longName: Buffer | null = null
  let at = 0
  while (at + 512 <= bytes.length) {
    if (!checksumHolds(bytes, at)) return { entries, isWhole: isZero(bytes.subarray(at, at + 512)) }
    const size = sizeOf(bytes.subarray(at + 124, at + 136))
    const type = String.fromCharCode(bytes[at + 156] ?? 0)
    const start = at + 512
    if (start + size > bytes.length) {
      entries.push({ name: longName ?? nameOf(bytes, at), bytes: bytes.subarray(start) })
      return { entries, isWhole: false }
    }
    const data = bytes.subarray(start, start + size)
    if (type === 'L') longName = untilZero(data)
    else if (type === 'x') longName = paxPath(data) ?? longName
    else {
      if (size > 0) entries.push({ name: longName ?? nameOf(bytes, at), bytes: data })
      longName = null
    }
    at = start + Math.ceil(size / 512) * 512
  }
  return { entries, isWhole: true }
}

function nameOf(bytes: Buffer, at: number): Buffer {
  const name = untilZero(bytes.subarray(at, at + 100))
  const prefix = untilZero(bytes.subarray(at + 345, at + 500))
  const isUstar = bytes.toString('latin1', at + 257, at + 263) === 'ustar\0'
  return isUstar && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name
}

function paxPath(data: Buffer): Buffer | null {
  const [, path] = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(data.toString('latin1')) ?? []
  return path === undefined ? null : Buffer.from(path, 'latin1')
}

function sizeOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(4) & 0x7fff_ffff_ffffn)
  return Number.parseInt(field.toString('latin1').replace(/[^0-7]/g, '') || '0', 8)
}

function checksumHolds(bytes: Buffer, at: number): boolean {
  const stated = Number.parseInt(bytes.toString('latin1', at + 148, at + 156).replace(/[^0-7]/g, ''), 8)
  if (!Number.isFinite(stated)) return false
  let sum = 8 * 32
  for (let index = 0; index < 512; index++) if (index < 148 || index >= 156) sum += bytes[at + index] ?? 0
  return sum === stated
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end))
}
