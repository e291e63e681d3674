import { buildZip, type ZipFile } from './build-zip.ts'

/** An archive whose records say everything in their zip64 fields, as one of more than 65,535 entries has to. */
export function buildWideZip(files: readonly ZipFile[]): Buffer {
  const zip = buildZip(files, { count: 65_535 })
  const end = zip.length - 22
  const start = zip.readUInt32LE(end + 16)
  const records: Buffer[] = []
  for (let at = start; at < end; at += 46 + zip.readUInt16LE(at + 28)) records.push(wide(zip, at))
  const directory = Buffer.concat(records)
  const tail = Buffer.alloc(56 + 20 + 22, 0xff)
  tail.write('PK\x06\x06', 0, 'latin1')
  for (const [at, value] of [
    [4, 44],
    [24, files.length],
    [32, files.length],
    [40, directory.length],
    [48, start],
  ] as const)
    tail.writeBigUInt64LE(BigInt(value), at)
  tail.write('PK\x06\x07', 56, 'latin1')
  tail.writeBigUInt64LE(BigInt(start + directory.length), 56 + 8)
  tail.write('PK\x05\x06', 76, 'latin1')
  tail.writeUInt16LE(0, 96)
  return Buffer.concat([zip.subarray(0, start), directory, tail])
}

function wide(zip: Buffer, at: number): Buffer {
  const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28))
  const record = Buffer.from(zip.subarray(at, at + 46))
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  for (const [index, field] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + field)), 4 + index * 8)
    record.writeUInt32LE(0xffff_ffff, field)
  }
  record.writeUInt16LE(extra.length, 30)
  return Buffer.concat([record, name, extra])
}
