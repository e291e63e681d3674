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

/** An asar archive for tests, of a header that may say anything. */
export function buildAsar(header: object, bytes: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(padded + 8, 4)
  head.writeUInt32LE(padded + 4, 8)
  head.writeUInt32LE(json.length, 12)
  return Buffer.concat([head, json, Buffer.alloc(padded - json.length), bytes])
}

/** A tar archive for tests, as GNU tar writes it, without the blocks at its end. */
export function buildTar(files: Readonly<Record<string, Buffer>>): Buffer {
  return Buffer.concat(
    Object.entries(files).flatMap(([name, bytes]) => {
      const header = Buffer.alloc(512)
      header.write(name, 0, 100, 'latin1')
      header.write('0000644\0', 100, 'latin1')
      header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
      header.write('        0ustar\x0000', 148, 'latin1')
      const sum = header.reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
      return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
    }),
  )
}
