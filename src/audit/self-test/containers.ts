import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { asar } from './containers/asar.ts'
import { tar } from './containers/tar.ts'
import { zip } from './containers/zip.ts'

/** A file inside a container. */
export interface Member {
  readonly name: string
  /** How the container keeps it, for example `zip, deflated`. */
  readonly kind: string
  readonly bytes: Buffer
}

/** A container that can be written again with other contents. */
export interface Container {
  recognises(name: string, bytes: Buffer): boolean
  /** Calls for each file in it; what comes back, unless it is `null`, takes the file's place. `null` if none changed. */
  rewrite(name: string, bytes: Buffer, change: (member: Member) => Buffer | null): Buffer | null
}

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

/** Compressions that are read here and there but not written by anything at hand. */
export function unwritable(bytes: Buffer): string | null {
  if (startsWith('fd377a585a00')('', bytes)) return 'xz'
  return /^BZh[1-9]1AY/.test(bytes.toString('latin1', 0, 6)) ? 'bzip2' : null
}
