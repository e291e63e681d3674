import { deflateSync } from 'node:zlib'
import { type CostlyFile, type CostlyFiles, filled, key, times, u32be } from './costly-file.ts'

const file = (name: string, bytes: CostlyFile['bytes']): CostlyFile => ({ file: name, bytes })
const text = (value: string) => Buffer.from(value, 'latin1')
const zeros = (count: number) => Buffer.alloc(Math.max(0, count))

const block = 512
const padded = (bytes: Buffer) => Buffer.concat([bytes, zeros(block - (bytes.length % block || block))])

/** A header of a tar archive with a right checksum. */
function tarHeader(type: string, size: Buffer | number): Buffer {
  const header = zeros(block)
  header.write('a', 'latin1')
  if (typeof size === 'number') header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else size.copy(header, 124)
  header.write(`        ${type}`, 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** A record of an extended header, whose length counts its own digits. */
function paxRecord(field: string, value: string): Buffer {
  const rest = ` ${field}=${value}\n`
  let length = rest.length
  while (`${length}${rest}`.length > length) length += 1
  return text(`${length}${rest}`)
}
const extended = (record: Buffer) => Buffer.concat([tarHeader('x', record.length), padded(record)])
const keyFile = Buffer.concat([tarHeader('0', key.length), padded(text(key))])

const tar: CostlyFiles = {
  'a size below zero': file('a.tar', (size) =>
    Buffer.concat([keyFile, extended(paxRecord('size', '-1536')), tarHeader('0', 0), zeros(size)]),
  ),
  'a size that is a fraction': file('a.tar', (size) =>
    Buffer.concat([keyFile, extended(paxRecord('size', '-1e3')), tarHeader('0', 0), zeros(size)]),
  ),
  'a size of 96 bits': file('a.tar', (size) =>
    Buffer.concat([keyFile, tarHeader('0', filled(12, '\xff')), zeros(size)]),
  ),
  'empty files': file('a.tar', (size) => Buffer.concat([keyFile, filled(size, tarHeader('0', 0))])),
  'short files': file('a.tar', (size) => Buffer.concat([keyFile, filled(size, keyFile)])),
  'long names': file('a.tar', (size) =>
    filled(size, Buffer.concat([tarHeader('L', 4096), filled(4096, 'a'), keyFile])),
  ),
  'records without an end': file('a.tar', (size) =>
    Buffer.concat([filled(size, extended(filled(4096, '\n1 '))), keyFile]),
  ),
}

/** What `Assets.car` has for data: a header, then what it is compressed to. */
function renditionOf(data: Buffer): Buffer {
  const rendition = zeros(184 + 12)
  rendition.write('ISTC', 'latin1')
  rendition.writeUInt16LE(1000, 36)
  rendition.write('DWAR', 184, 'latin1')
  rendition.writeUInt32LE(data.length, 192)
  return Buffer.concat([rendition, data])
}
/** Every row of the index has the same block. */
function catalogueOf(size: number, blockBytes: Buffer): Buffer {
  const rows = times(size - blockBytes.length, 8)
  const head = Buffer.concat([text('BOMStore'), u32be(1, 0, 32 + blockBytes.length, 0), zeros(8)])
  return Buffer.concat([head, blockBytes, u32be(rows), filled(rows * 8, u32be(32, blockBytes.length))])
}
const withWrongSum = (data: Buffer) =>
  Buffer.concat([data.subarray(0, -1), Buffer.from([(data.at(-1) ?? 0) ^ 1])])

const assetCatalogue: CostlyFiles = {
  'one rendition many times, with a wrong checksum': file('Assets.car', (size) =>
    catalogueOf(size, renditionOf(withWrongSum(deflateSync(filled(size * 4, `${key} `))))),
  ),
  'one rendition many times, which breaks off': file('Assets.car', (size) => {
    const data = deflateSync(filled(size * 256, 'a'))
    return catalogueOf(size, renditionOf(Buffer.concat([data.subarray(0, -64), filled(64, '\xff')])))
  }),
  'renditions that are none': file('Assets.car', (size) =>
    catalogueOf(size, renditionOf(filled(64, 'x\x9c\xff'))),
  ),
}

/** What each container has to bear, by the name of its format. */
export const costlyContainers: Readonly<Record<string, CostlyFiles>> = {
  tar,
  'asset catalogue': assetCatalogue,
}
