import { crc32 } from 'node:zlib'

export interface NamedBytes {
  /** ASCII. */
  readonly name: string
  readonly bytes: Buffer
}

const version = 20
const localBytes = 30
const centralBytes = 46

/** A zip archive whose entries are stored as they are. */
export function zipOf(files: readonly NamedBytes[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(crc32(bytes), 0)
    sizes.writeUInt32LE(bytes.length, 4)
    sizes.writeUInt32LE(bytes.length, 8)
    sizes.writeUInt16LE(name.length, 12)
    const head = Buffer.alloc(localBytes)
    head.write('PK\x03\x04', 'latin1')
    head.writeUInt16LE(version, 4)
    sizes.copy(head, 14)
    const entry = Buffer.alloc(centralBytes)
    entry.write('PK\x01\x02', 'latin1')
    entry.writeUInt16LE(version, 4)
    entry.writeUInt16LE(version, 6)
    sizes.copy(entry, 16)
    entry.writeUInt32LE(offset, 42)
    local.push(head, Buffer.from(name, 'latin1'), bytes)
    central.push(entry, Buffer.from(name, 'latin1'))
    offset += localBytes + name.length + bytes.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}
