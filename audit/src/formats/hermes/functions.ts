import { headerSize, type Layout } from './tables.ts'

/** The code of a function, and how many registers it has. Places are offsets in the file. */
export interface HermesFunction {
  readonly start: number
  readonly end: number
  readonly frameSize: number
}

const overflowed = 32

/** The functions of a file by their numbers; `null` for one whose code is not in the file. */
export function functionsOf(
  bytes: Buffer,
  { version, functions, functionSize }: Layout,
): readonly (HermesFunction | null)[] {
  const read = version >= 98 ? from98 : before98
  return Array.from({ length: functions }, (_, index) => {
    const one = read(bytes, headerSize + index * functionSize)
    return one === null || one.start < headerSize || one.end > bytes.length ? null : one
  })
}

/** A header whose fields are too small says where a larger one is. */
function before98(bytes: Buffer, at: number): HermesFunction | null {
  const offset = bytes.readUInt32LE(at) & 0x1ff_ffff
  const info = bytes.readUInt32LE(at + 8)
  if ((bytes.readUInt8(at + 15) & overflowed) === 0)
    return functionAt(offset, bytes.readUInt32LE(at + 4) & 0x7fff, info >>> 25)
  const large = (info & 0xffff) * 65_536 + (offset & 0xffff)
  if (large + 24 > bytes.length) return null
  return functionAt(bytes.readUInt32LE(large), bytes.readUInt32LE(large + 8), bytes.readUInt32LE(large + 20))
}

function from98(bytes: Buffer, at: number): HermesFunction | null {
  const offset = bytes.readUInt32LE(at) & 0x1ff_ffff
  const sizes = bytes.readUInt32LE(at + 4)
  if ((bytes.readUInt8(at + 11) & overflowed) === 0)
    return functionAt(offset, sizes & 0x3fff, bytes.readUInt8(at + 8))
  const large = ((sizes >>> 14) & 0xff) * 0x100_0000 + (offset & 0xff_ffff)
  if (large + 32 > bytes.length) return null
  return functionAt(bytes.readUInt32LE(large), bytes.readUInt32LE(large + 12), bytes.readUInt32LE(large + 28))
}

function functionAt(start: number, size: number, frameSize: number): HermesFunction {
  return { start, end: start + size, frameSize }
}
