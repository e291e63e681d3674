import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildZip } from '../testing/build-zip.ts'
import { defaultContainers } from './registry.ts'

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
