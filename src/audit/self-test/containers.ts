import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { Container } from './container.ts'
import { ar } from './containers/ar.ts'
import { asar } from './containers/asar.ts'
import { cpio } from './containers/cpio.ts'
import { tar } from './containers/tar.ts'
import { zip } from './containers/zip.ts'

const largest = 512 * 1024 * 1024
const options = { maxOutputLength: largest }

function compressed(
  kind: string,
  recognises: Container['recognises'],
  [expand, compress]: readonly [(bytes: Buffer) => Buffer, (bytes: Buffer) => Buffer],
): Container {
  return {
    recognises,
    rewrite(name, bytes, change) {
      const changed = change({ name: innerName(name), kind, bytes: expand(bytes) })
      return changed === null ? null : compress(changed)
    },
  }
}

function innerName(name: string): string {
  return name.replace(/\.t(?:gz|zst)$/i, '.tar').replace(/\.(?:gz|zst|br)$/i, '')
}

const startsWith = (magic: string) => (_: string, bytes: Buffer) =>
  bytes.toString('hex', 0, magic.length / 2) === magic

export const containers: readonly Container[] = [
  zip,
  tar,
  asar,
  ar,
  cpio,
  compressed('gzip', startsWith('1f8b08'), [
    (bytes) => gunzipSync(bytes, options),
    (bytes) => gzipSync(bytes),
  ]),
  compressed('zstd', startsWith('28b52ffd'), [
    (bytes) => zstdDecompressSync(bytes, options),
    (bytes) => zstdCompressSync(bytes),
  ]),
  compressed('brotli', (name) => /\.br$/i.test(name), [
    (bytes) => brotliDecompressSync(bytes, options),
    (bytes) => brotliCompressSync(bytes, { params: { 1: 5 } }),
  ]),
]

/** What is read here and not written: how it begins, and what it is called. */
const notWritten: readonly (readonly [mark: string, name: string])[] = [
  ['fd377a585a00', 'xz'],
  ['04224d18', 'lz4'],
  ['02214c18', 'lz4'],
  ['4c5a495001', 'lzip'],
  ['377abcaf271c', '7z'],
  ['edabeedb', 'RPM'],
  ['556e6974794653', 'Unity bundle'],
  ['255044462d', 'PDF'],
  ['424f4d53746f7265', 'asset catalogue'],
]

/** Compressions that are read here and there but not written by anything at hand. */
export function unwritable(bytes: Buffer): string | null {
  const known = notWritten.find(([mark]) => startsWith(mark)('', bytes))
  if (known !== undefined) return known[1]
  if (isLzma(bytes)) return 'LZMA'
  const trailer = bytes.length - 512
  if (trailer >= 0 && bytes.toString('latin1', trailer, trailer + 4) === 'koly') return 'disk image'
  return /^BZh[1-9]1AY/.test(bytes.toString('latin1', 0, 6)) ? 'bzip2' : null
}

/** The usual coding, a dictionary of whole pages, and a first byte of data that is always zero. */
function isLzma(bytes: Buffer): boolean {
  return bytes.length > 18 && bytes[0] === 0x5d && (bytes.readUInt32LE(1) & 0xfff) === 0 && bytes[13] === 0
}
