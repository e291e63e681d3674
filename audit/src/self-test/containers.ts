import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { Container } from './container.ts'
import { asar } from './containers/asar.ts'
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

/** Formats that are read and have no encoder here: the first bytes, and the name. */
const notWritten: readonly (readonly [mark: string, name: string])[] = [
  ['556e6974794653', 'Unity bundle'],
  ['255044462d', 'PDF'],
  ['424f4d53746f7265', 'asset catalogue'],
  ['5041434b000000', 'Git pack'],
]

/** The format of a file that is read and cannot be written. */
export function unwritable(bytes: Buffer): string | null {
  return notWritten.find(([mark]) => startsWith(mark)('', bytes))?.[1] ?? null
}
