import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditBytes } from '../engine/audit-bytes.ts'
import { createAudit } from '../engine/context.ts'
import { defaultFormats } from '../formats/registry.ts'
import { key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'
import type { ContainerFormat } from './container-format.ts'
import { containerFormats, createContainers, defaultContainers } from './registry.ts'

const { mayBeOpened } = defaultContainers

const text = Buffer.from('some bytes '.repeat(100))
const zip = buildZip([{ name: 'a', bytes: text }])
const tarHeader = Buffer.concat([
  Buffer.from('a'.padEnd(148, '\0')),
  Buffer.from('006177\0 0'),
  Buffer.alloc(355),
])
const at = (offset: number, mark: string) =>
  Buffer.concat([Buffer.alloc(offset, 'x'), Buffer.from(mark, 'latin1')])

test.each<[string, Buffer, string?]>([
  ['gzip', gzipSync(text)],
  ['zlib', deflateSync(text)],
  ['zlib, best compression', deflateSync(text, { level: 9 })],
  ['zlib, no compression', deflateSync(text, { level: 0 })],
  ['zstd', zstdCompressSync(text)],
  ['brotli', brotliCompressSync(text), 'a.js.br'],
  ['brotli with its whole name', brotliCompressSync(text), 'a.js.brotli'],
  ['bzip2', Buffer.from('BZh91AY&SY')],
  ['xz', Buffer.from('fd377a585a00', 'hex')],
  ['LZMA', Buffer.from('5d00008000', 'hex'), 'a.lzma'],
  ['zip', zip],
  ['zip behind other data', Buffer.concat([Buffer.alloc(5000, 7), zip])],
  ['tar', tarHeader],
  ['asar', Buffer.from('0400000010000000', 'hex')],
  ['an assembly', Buffer.from('XALZ')],
  ['an assembly store', Buffer.from('XABA')],
  ['7z', Buffer.from('377abcaf271c', 'hex')],
  ['RAR', Buffer.from('Rar!\x1a\x07\0', 'latin1')],
  ['a Unity bundle', Buffer.from('UnityFS\0')],
  ['lz4', Buffer.from('04224d18', 'hex')],
  ['lz4 of a ramdisk', Buffer.from('02214c18', 'hex')],
  ['a mail', Buffer.from('Subject: a'), 'a.eml'],
  ['lzip', Buffer.from('LZIP\x01', 'latin1')],
  ['a Debian package', Buffer.from('!<arch>\ndebian-binary')],
  ['cpio', Buffer.from('070701')],
  ['RPM', Buffer.from('edabeedb', 'hex')],
  ['a PDF', Buffer.from('%PDF-1.7')],
  ['an asset catalogue', Buffer.from('BOMStore')],
  [
    'a PNG with a compressed text',
    Buffer.from('89504e470d0a1a0a000000067a545874610000789c0100000000', 'hex'),
  ],
  ['a disk image', Buffer.concat([at(4096, 'koly'), Buffer.alloc(508)])],
  ['an ISO image', Buffer.concat([at(0x8001, 'CD001'), Buffer.alloc(2048)])],
  ['encrypted by OpenSSL', Buffer.from('Salted__12345678')],
  ['encrypted by PGP', Buffer.from('-----BEGIN PGP MESSAGE-----')],
  ['encrypted by age', Buffer.from('age-encryption.org/v1')],
])('%s may be opened', (_, bytes, name = 'file') => {
  expect(mayBeOpened(name, bytes)).toBe(true)
})

test.each<[string, Buffer]>([
  ['a picture', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40_000)])],
  ['zeros', Buffer.alloc(70_000)],
  ['one byte', Buffer.from('P')],
  ['a text', text],
])('%s is no container', (_, bytes) => {
  expect(mayBeOpened('file', bytes)).toBe(false)
})

const mark = Buffer.from('\0~\xf1\xf2', 'latin1')
const masked = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))

/** A mark, and the contents with each byte masked. */
const ownCompression: ContainerFormat = {
  opens: 'contents',
  name: 'masked',
  begins: [mark],
  expand: (name, bytes) =>
    bytes.subarray(0, mark.length).equals(mark)
      ? { name: `${name}.unmasked`, bytes: masked(bytes.subarray(mark.length)) }
      : null,
  openLarge: () => null,
}

/** After its mark, one length byte before each file. */
const ownArchive: ContainerFormat = {
  opens: 'parts',
  name: 'lengths',
  begins: [mark],
  read(source) {
    if (!source.read(0, mark.length).equals(mark)) return null
    const start = mark.length + 1
    const end = start + (source.read(mark.length, start)[0] ?? 0)
    return { entries: [{ name: 'first', start, end }], rest: [[0, start]], problem: null }
  },
}

test.each<[ContainerFormat, Buffer, string]>([
  [ownCompression, Buffer.concat([mark, masked(Buffer.from(`k="${key}" `))]), 'a.bin!a.bin.unmasked'],
  [ownArchive, Buffer.concat([mark, Buffer.from([key.length]), Buffer.from(key)]), 'a.bin!first'],
])('one more entry is all that another format takes: $name', async (format, bytes, location) => {
  const containers = createContainers([...containerFormats, format])
  for (const isKnown of [false, true]) {
    expect((isKnown ? containers : defaultContainers).mayBeOpened('a.bin', bytes)).toBe(isKnown)
    const audit = createAudit(
      {},
      { containers: isKnown ? containers : defaultContainers, formats: defaultFormats },
    )
    audit.spent.allowed = 1_000_000
    const zip = buildZip([{ name: 'a.bin', bytes }])
    await auditBytes(audit, { location: 'a.zip', name: 'a.zip', bytes: zip, depth: 0 })
    const inside = audit.collector.findings().filter((finding) => finding.location === `a.zip!${location}`)
    expect(inside.map(({ rule }) => rule)).toEqual(isKnown ? ['AUD-001'] : [])
  }
})
