/** Reads numbers of a native binary in its own byte order and width. */
export interface Fields {
  u32(at: number): number
  /** An address or a size: 64 bits where the file is of that width. */
  word(at: number): number
}

export function fieldsOf(bytes: Buffer, isLittle: boolean, isWide: boolean): Fields {
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const u64 = (at: number) => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
  return { u32, word: isWide ? u64 : u32 }
}

/** The place at or behind an offset that is a multiple of a number. */
export function align(offset: number, unit = 4): number {
  // Not by bits, which would make a place behind two gigabytes one before the file.
  return Math.ceil(offset / unit) * unit
}
