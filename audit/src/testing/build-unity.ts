/** A block of lz4 that repeats nothing. */
export function lz4Literals(bytes: Buffer): Buffer {
  const rest = bytes.length - 15
  const lengths = rest < 0 ? [] : [...Array.from({ length: Math.floor(rest / 255) }, () => 255), rest % 255]
  return Buffer.concat([Buffer.from([Math.min(15, bytes.length) << 4, ...lengths]), bytes])
}

export interface UnityBlock {
  readonly packed: Buffer
  readonly size: number
  /** 0 as it is, 1 LZMA, 2 and 3 lz4. */
  readonly compression: number
}

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])

/** A bundle in the form of Unity 2019 (6) or 2020 (7). Sizes of files are given as `[start, size, name]`. */
export function buildUnity(
  blocks: readonly UnityBlock[],
  files: readonly (readonly [number, number, string])[],
  { format = 6, isListAtEnd = false, engine = '2020.3.1f1' } = {},
): Buffer {
  const list = Buffer.concat([
    Buffer.alloc(16),
    u32(blocks.length),
    ...blocks.map(({ packed, size, compression }) =>
      Buffer.concat([u32(size, packed.length), u16(compression)]),
    ),
    u32(files.length),
    ...files.map(([start, size, name]) =>
      Buffer.concat([u32(0, start, 0, size, 4), Buffer.from(`${name}\0`)]),
    ),
  ])
  const packedList = lz4Literals(list)
  const flags = 2 | 0x40 | (isListAtEnd ? 0x80 : 0)
  const names = Buffer.from(`UnityFS\0${'\0\0\0'}${String.fromCharCode(format)}5.x.x\0${engine}\0`, 'latin1')
  const head = Buffer.concat([names, u32(0, 0, packedList.length, list.length, flags)])
  const padded = Buffer.concat([head, Buffer.alloc(format >= 7 ? (16 - (head.length % 16)) % 16 : 0)])
  const data = blocks.map(({ packed }) => packed)
  return Buffer.concat(isListAtEnd ? [padded, ...data, packedList] : [padded, packedList, ...data])
}
