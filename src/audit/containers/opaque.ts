import type { OpeningOf } from './container-format.ts'

type Opaque = OpeningOf<'contents'>

/** What it is, how it begins, and what opens it. */
const marks: readonly (readonly [what: string, mark: Buffer, tool: string])[] = [
  ['a RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1'), 'unrar x'],
  ['lzop compression', Buffer.from('894c5a4f000d0a1a', 'hex'), 'lzop -d'],
  ['compress (.Z)', Buffer.from('1f9d', 'hex'), 'gzip -d'],
  ['LZFSE compression', Buffer.from('bvx2'), 'lzfse -decode'],
  ['a xar archive', Buffer.from('xar!'), '7z x'],
  ['a cabinet', Buffer.from('MSCF\0\0\0\0'), '7z x'],
  ['a SquashFS image', Buffer.from('hsqs'), 'unsquashfs'],
  ['an Android sparse image', Buffer.from('3aff26ed', 'hex'), 'simg2img and 7z x'],
  ['Pack200 compression', Buffer.from('cafed00d', 'hex'), 'unpack200'],
]

/** What is known by its mark, and cannot be opened here. */
export const opaqueFormats: readonly Opaque[] = [
  ...marks.map(
    ([what, mark, tool]): Opaque => ({
      ...opaque(what, tool, (bytes) => bytes.subarray(0, mark.length).equals(mark)),
      begins: [mark],
    }),
  ),
  { ...opaque('an ISO image', '7z x', isDiscImage), mayBe: isDiscImage },
  { ...opaque('an ext4 image', '7z x', isExt4), mayBe: isExt4 },
]

function opaque(name: string, tool: string, isOne: (bytes: Buffer) => boolean) {
  const reason = `${name} cannot be opened: unpack it with ${tool}, and audit the result`
  return {
    opens: 'contents',
    name,
    expand: (file: string, bytes: Buffer) =>
      isOne(bytes) ? { name: file, bytes: null, problem: { kind: 'unsupported', reason } as const } : null,
    openLarge: (_: string, head: Buffer) => (isOne(head) ? name : null),
  } as const
}

/** The superblock of its file system, after the boot sectors: its mark has two bytes, so more of it has to fit. */
function isExt4(bytes: Buffer): boolean {
  return (
    bytes.length > 0x450 &&
    bytes[0x438] === 0x53 &&
    bytes[0x439] === 0xef &&
    bytes.readUInt32LE(0x418) <= 6 &&
    bytes.readUInt32LE(0x420) >= 256 &&
    bytes.readUInt16LE(0x43a) <= 7 &&
    bytes.readUInt32LE(0x44c) <= 1
  )
}

/** An ISO image has its mark after the boot sectors. */
function isDiscImage(bytes: Buffer): boolean {
  return bytes.length > 0x8006 && bytes.toString('latin1', 0x8001, 0x8006) === 'CD001'
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
