/** A section of a binary for tests. */
export interface Section {
  readonly name: string
  readonly bytes: Buffer
  /** In the terms of the format: flags of a Mach-O section, type of an ELF section. */
  readonly kind?: number
}

const codeSignature = 0x1d

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
  u32(cryptid === 0 ? codeSignature : 0x2c, last)
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

const imageBase = 0x40_0000

/**
 * A program that is loaded as a whole, in little endian: its header, and then its bytes.
 * @param contents writes the bytes for the address at which they are loaded
 */
export function buildProgram(
  format: 'elf' | 'pe' | 'mach-o',
  machine: 'x86-64' | 'arm64',
  contents: (address: number) => Buffer,
): Buffer {
  const head = Buffer.alloc(format === 'pe' ? 512 : 120)
  const body = contents(imageBase + head.length)
  const u64 = (value: number, at: number) => head.writeBigUInt64LE(BigInt(value), at)
  const isArm = machine === 'arm64'
  if (format === 'elf') {
    head.write('\x7fELF\x02\x01\x01', 'latin1')
    head.writeUInt16LE(isArm ? 183 : 62, 18)
    u64(64, 32)
    head.writeUInt16LE(56, 54)
    head.writeUInt16LE(1, 56)
    head.writeUInt32LE(1, 64)
    u64(imageBase, 80)
    u64(head.length + body.length, 96)
  } else if (format === 'mach-o') {
    head.writeUInt32LE(0xfeedfacf, 0)
    head.writeUInt32LE(isArm ? 0x0100000c : 0x01000007, 4)
    head.writeUInt32LE(1, 16)
    head.writeUInt32LE(0x19, 32)
    head.writeUInt32LE(72, 36)
    u64(imageBase, 56)
    u64(head.length + body.length, 80)
  } else {
    head.writeUInt32BE(0x4d5a9000, 0)
    head.writeUInt32LE(64, 60)
    head.writeUInt32LE(0x4550, 64)
    head.writeUInt16LE(isArm ? 0xaa64 : 0x8664, 68)
    head.writeUInt16LE(1, 70)
    head.writeUInt16LE(0x20b, 88)
    u64(imageBase, 112)
    head.writeUInt32LE(head.length, 88 + 12)
    head.writeUInt32LE(body.length, 88 + 16)
    head.writeUInt32LE(head.length, 88 + 20)
  }
  return Buffer.concat([head, body])
}

/** A field of a protobuf message that holds bytes. */
export function protoField(field: number, bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes)
  const size =
    content.length < 128 ? [content.length] : [(content.length & 0x7f) | 0x80, content.length >>> 7]
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size]), content])
}

/** A section of a WebAssembly module, of less than 128 bytes. */
export function wasmSection(id: number, content: readonly (number | string)[]): Buffer {
  const bytes = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
  )
  return Buffer.concat([Buffer.from([id, bytes.length]), bytes])
}
