import { isDiscImage, isDiskImage, startsOpaque } from './opaque.ts'

const directoryEnd = Buffer.from('PK\x05\x06')

/** How what can be opened begins: zip, gzip, zlib, zstd, xz, bzip2, asar, assemblies, and what is encrypted. */
const beginnings = new Set(
  [
    'PK',
    '\x1f\x8b',
    'x\x01',
    'x\x5e',
    'x\x9c',
    'x\xda',
    '\x28\xb5',
    '\xfd7',
    'BZ',
    '\x04\0',
    'XA',
    'Sa',
    '--',
    'ag',
  ].map((text) => Buffer.from(text, 'latin1').readUInt16BE(0)),
)

/**
 * Whether any of the readers of containers and compressed files may want these bytes; a look that costs next to nothing
 * and is right wherever it says no.
 */
export function mayBeOpened(name: string, bytes: Buffer): boolean {
  const beginning = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
  if (beginnings.has(beginning) || startsOpaque(beginning)) return true
  if (/\.(?:br|lzma|tlz)$/i.test(name) || mayBeTar(bytes)) return true
  return bytes.includes(directoryEnd) || isDiskImage(bytes) || isDiscImage(bytes)
}

/** The first checksum of a tar archive is written in octal digits. */
function mayBeTar(bytes: Buffer): boolean {
  let digits = 0
  for (let at = 148; at < 156; at++) {
    const byte = bytes[at] ?? 1
    if (byte !== 0 && byte !== 0x20 && (byte < 0x30 || byte > 0x37)) return false
    if (byte >= 0x30) digits += 1
  }
  return digits > 0
}
