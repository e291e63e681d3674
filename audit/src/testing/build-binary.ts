/** A section of a binary for tests. */
export interface Section {
  readonly name: string
  readonly bytes: Buffer
  /** In the terms of the format: flags of a Mach-O section, type of an ELF section. */
  readonly kind?: number
}

/** A thin Mach-O of 64 bits with one segment; `cryptid` adds what says that it is encrypted for the store. */
export function buildMachO(sections: readonly Section[], { isLittle = true, cryptid = 0 } = {}): Buffer {
  const commandsSize = 72 + sections.length * 80 + 24
  const head = Buffer.alloc(32 + commandsSize)
  const u32 = (value: number, at: number) =>
    isLittle ? head.writeUInt32LE(value, at) : head.writeUInt32BE(value, at)
  const u64 = (value: number, at: number) =>
    isLittle ? head.writeBigUInt64LE(BigInt(value), at) : head.writeBigUInt64BE(BigInt(value), at)
  u32(0xfeedfacf, 0)
  u32(2, 16)
  u32(0x19, 32)
  u32(72 + sections.length * 80, 36)
  u32(sections.length, 32 + 64)
  let offset = head.length
  for (const [index, { name, bytes, kind = 0 }] of sections.entries()) {
    const at = 32 + 72 + index * 80
    head.write(name, at, 'latin1')
    u64(bytes.length, at + 40)
    u32(offset, at + 48)
    u32(kind, at + 64)
    offset += bytes.length
  }
  const last = head.length - 24
  // Else a code signature.
  u32(cryptid === 0 ? 0x1d : 0x2c, last)
  u32(24, last + 4)
  u32(cryptid, last + 16)
  return Buffer.concat([head, ...sections.map(({ bytes }) => bytes)])
}

/** A fat binary of several thin ones. */
export function buildFat(parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8 + parts.length * 20)
  head.writeUInt32BE(0xcafebabe, 0)
  head.writeUInt32BE(parts.length, 4)
  let offset = head.length
  for (const [index, part] of parts.entries()) {
    head.writeUInt32BE(offset, 8 + index * 20 + 8)
    head.writeUInt32BE(part.length, 8 + index * 20 + 12)
    offset += part.length
  }
  return Buffer.concat([head, ...parts])
}

/** An ELF of 64 bits, in little endian. */
export function buildElf(sections: readonly Section[]): Buffer {
  const head = Buffer.alloc(64)
  head.write('\x7fELF\x02\x01\x01', 'latin1')
  const body = Buffer.concat(sections.map(({ bytes }) => bytes))
  head.writeBigUInt64LE(BigInt(64 + body.length), 40)
  head.writeUInt16LE(64, 58)
  head.writeUInt16LE(sections.length, 60)
  let offset = 64
  const headers = sections.map(({ bytes, kind = 1 }) => {
    const header = Buffer.alloc(64)
    header.writeUInt32LE(kind, 4)
    header.writeBigUInt64LE(BigInt(offset), 24)
    header.writeBigUInt64LE(BigInt(bytes.length), 32)
    offset += bytes.length
    return header
  })
  return Buffer.concat([head, body, ...headers])
}

/** A field of a protobuf message that holds bytes. */
export function protoField(field: number, bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes)
  const size: number[] = []
  let rest = content.length
  for (; rest >= 128; rest = Math.floor(rest / 128)) size.push((rest % 128) + 128)
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size, rest]), content])
}

/** A section of a WebAssembly module, of less than 128 bytes. */
export function wasmSection(id: number, content: readonly (number | string)[]): Buffer {
  const bytes = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
  )
  return Buffer.concat([Buffer.from([id, bytes.length]), bytes])
}
