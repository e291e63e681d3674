import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly bytes: Buffer
  readonly stored?: boolean
  /** Written into both headers instead of what is true. */
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  /** Written into the local header alone. */
  readonly localMethod?: number
}

/** A zip archive for tests, whose headers may lie. */
export function buildZip(
  files: readonly ZipFile[],
  { gap = Buffer.alloc(0), count = files.length } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const {
    name,
    bytes,
    stored = false,
    method = stored ? 0 : 8,
    flags = 0,
    crc = crc32(bytes),
    localMethod,
  } of files) {
    const data = stored ? bytes : deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.from(common)
    local.writeUInt16LE(localMethod ?? method, 4)
    const record = Buffer.concat([
      Buffer.from('PK\x01\x02\x14\0'),
      common,
      Buffer.alloc(14),
      Buffer.from(name),
    ])
    record.writeUInt32LE(offset, 42)
    directory.push(record)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), local, Buffer.from(name), data, gap])
    parts.push(entry)
    offset += entry.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
