import type { OpeningOf } from './container-format.ts'

type Opaque = OpeningOf<'contents'>

const marks: readonly (readonly [what: string, mark: Buffer])[] = [
  ['a 7z archive', Buffer.from('377abcaf271c', 'hex')],
  ['a RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1')],
  ['lz4 compression', Buffer.from('04224d18', 'hex')],
  ['lz4 compression', Buffer.from('02214c18', 'hex')],
  ['lzip compression', Buffer.from('LZIP')],
  ['lzop compression', Buffer.from('894c5a4f000d0a1a', 'hex')],
  ['compress (.Z)', Buffer.from('1f9d', 'hex')],
  ['LZFSE compression', Buffer.from('bvx2')],
  ['a xar archive', Buffer.from('xar!')],
  ['a cabinet', Buffer.from('MSCF\0\0\0\0')],
  ['a Debian package', Buffer.from('!<arch>\ndebian-binary')],
  ['an RPM package', Buffer.from('edabeedb', 'hex')],
  ['a SquashFS image', Buffer.from('hsqs')],
  ['Pack200 compression', Buffer.from('cafed00d', 'hex')],
  ['a Unity bundle', Buffer.from('UnityFS\0', 'latin1')],
  ['a Unity bundle', Buffer.from('UnityWeb\0', 'latin1')],
]

/** What is known by its mark, and cannot be opened here. */
export const opaqueFormats: readonly Opaque[] = [
  ...marks.map(
    ([what, mark]): Opaque => ({
      ...opaque(what, (_, bytes) => bytes.subarray(0, mark.length).equals(mark)),
      begins: [mark],
    }),
  ),
  { ...opaque('a disk image', (_, bytes) => isDiskImage(bytes)), mayBe: isDiskImage },
  { ...opaque('an ISO image', (_, bytes) => isDiscImage(bytes)), mayBe: isDiscImage },
  { ...opaque('LZMA compression', isLzma), suffixes: ['.lzma', '.tlz'] },
]

function opaque(name: string, isOne: (name: string, bytes: Buffer) => boolean) {
  return {
    opens: 'contents',
    name,
    expand: (file: string, bytes: Buffer) =>
      isOne(file, bytes)
        ? {
            name: file,
            bytes: null,
            problem: { kind: 'unsupported', reason: `${name} cannot be opened` } as const,
          }
        : null,
    openLarge: (file: string, head: Buffer) => (isOne(file, head) ? name : null),
  } as const
}

/** An ISO image has its mark after the boot sectors. */
function isDiscImage(bytes: Buffer): boolean {
  return bytes.length > 0x8006 && bytes.toString('latin1', 0x8001, 0x8006) === 'CD001'
}

const trailer = 512

/** A disk image has its mark at the beginning of its last block. */
function isDiskImage(bytes: Buffer): boolean {
  return (
    bytes.length >= 4 &&
    bytes.readUInt32BE(Math.min(bytes.length - 4, Math.max(0, bytes.length - trailer))) === 0x6b6f6c79
  )
}

/** The old format has no mark: properties, the size of the dictionary, and the size of the contents. */
function isLzma(name: string, bytes: Buffer): boolean {
  return /\.(?:lzma|tlz)$/i.test(name) && bytes.length > 13 && (bytes[0] ?? 255) < 225
}

const encryptedHeads = ['Salted__', '-----BEGIN PGP MESSAGE', 'age-encryption.org/'].map((text) =>
  Buffer.from(text),
)

/** Contents that were encrypted on purpose. */
export const encrypted: Opaque = {
  opens: 'contents',
  name: 'encrypted file',
  begins: encryptedHeads,
  expand: (name, bytes) =>
    encryptedHeads.some((head) => bytes.subarray(0, head.length).equals(head))
      ? { name, bytes: null, problem: { kind: 'encrypted', reason: 'encrypted file' } }
      : null,
  openLarge: () => null,
}
