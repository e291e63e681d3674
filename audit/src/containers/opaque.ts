import type { OpeningOf } from './container-format.ts'
import { inMemory, type Source } from './source.ts'

type Opaque = OpeningOf<'gap'>

/** Both orders of a word of 16 bits, and the digits of the other dialects. */
const cpioMarks = [Buffer.from('0707'), Buffer.from([0xc7, 0x71]), Buffer.from([0x71, 0xc7])]
const lzmaMark = Buffer.from([0x5d, 0, 0])

/** A format, its first bytes, and the tool that unpacks it. */
const marks: readonly (readonly [format: string, mark: Buffer, tool: string])[] = [
  ['a RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1'), 'unrar x'],
  ['a 7z archive', Buffer.from('377abcaf271c', 'hex'), '7z x'],
  ['xz compression', Buffer.from('fd377a585a00', 'hex'), 'xz -d'],
  ['lzip compression', Buffer.from('LZIP\x01', 'latin1'), 'lzip -d'],
  ['lz4 compression', Buffer.from('04224d18', 'hex'), 'lz4 -d'],
  ['lz4 compression', Buffer.from('02214c18', 'hex'), 'lz4 -d'],
  ['lzop compression', Buffer.from('894c5a4f000d0a1a', 'hex'), 'lzop -d'],
  ['compress (.Z)', Buffer.from('1f9d', 'hex'), 'gzip -d'],
  ['LZFSE compression', Buffer.from('bvx2'), 'lzfse -decode'],
  ['a Debian package', Buffer.from('!<arch>\ndebian-binary'), 'dpkg-deb -R'],
  ['an RPM package', Buffer.from('edabeedb', 'hex'), 'bsdtar -xf'],
  ['a xar archive', Buffer.from('xar!'), '7z x'],
  ['a cabinet', Buffer.from('MSCF\0\0\0\0'), '7z x'],
  ['a SquashFS image', Buffer.from('hsqs'), 'unsquashfs'],
  ['an Android sparse image', Buffer.from('3aff26ed', 'hex'), 'simg2img and 7z x'],
  ['a Windows image', Buffer.from('MSWIM\0\0\0'), '7z x'],
  ['lrzip compression', Buffer.from('LRZI\0'), 'lrzip -d'],
  ['a ZPAQ archive', Buffer.from('7kSt'), 'zpaq x'],
  ['Pack200 compression', Buffer.from('cafed00d', 'hex'), 'unpack200'],
]

/** Formats that are recognised, and not opened. */
export const opaqueFormats: readonly Opaque[] = [
  ...marks.map(([format, mark, tool]): Opaque => ({ ...opaque(format, tool, begins(mark)), begins: [mark] })),
  { ...opaque('bzip2 compression', 'bzip2 -d', isBzip2), begins: [Buffer.from('BZh')] },
  { ...opaque('a cpio archive', 'cpio -idm', isCpio), begins: cpioMarks },
  { ...opaque('LZMA compression', 'xz --format=lzma -d', isLzma), begins: [lzmaMark] },
  // A disk image has its mark at the end: a larger one that is streamed is known by its name.
  { ...opaque('a disk image', '7z x', isDiskImage), mayBe: inBytes(isDiskImage), suffixes: ['.dmg'] },
  { ...opaque('an ISO image', '7z x', isDiscImage), mayBe: inBytes(isDiscImage) },
  { ...opaque('an ext4 image', '7z x', isExt4), mayBe: inBytes(isExt4) },
]

type Recognises = Opaque['recognises']

/** A format that is recognised, and the tool that unpacks it. */
export function opaque(name: string, tool: string, recognises: Recognises) {
  const reason = `${name} cannot be opened: unpack it with ${tool}, and audit the result`
  return { opens: 'gap', name, problem: { kind: 'unsupported', reason }, recognises } as const
}

function begins(mark: Buffer): Recognises {
  return (source) => source.read(0, mark.length).equals(mark)
}

function inBytes(recognises: Recognises): (bytes: Buffer) => boolean {
  return (bytes) => recognises(inMemory(bytes), '')
}

/** A level, then the first block: of data, or the end. */
function isBzip2(source: Source): boolean {
  return /^BZh[1-9](?:314159265359|177245385090)/.test(
    `${source.read(0, 4).toString('latin1')}${source.read(4, 10).toString('hex')}`,
  )
}

/** Headers of text, and of words of 16 bits in either order: those say that they are of a file with a plausible name. */
function isCpio(source: Source): boolean {
  const head = source.read(0, 110)
  if (/^(?:07070[12][0-9a-f]{104}|070707[0-7]{70})/i.test(head.toString('latin1'))) return true
  if (head.length < 27 || ![0xc771, 0x71c7].includes(head.readUInt16BE(0))) return false
  const word = (at: number) => (head[0] === 0xc7 ? head.readUInt16LE(at) : head.readUInt16BE(at))
  return [0o4, 0o10, 0o12].includes(word(6) >>> 12) && word(20) > 1 && word(20) < 4096 && head[26] !== 0
}

/** The usual coding, a dictionary of whole pages, a plausible size or none, and a first byte that is always zero. */
function isLzma(source: Source): boolean {
  const head = source.read(0, 18)
  if (head.length < 18 || !head.subarray(0, lzmaMark.length).equals(lzmaMark) || head[13] !== 0) return false
  const dictionary = head.readUInt32LE(1)
  const [low, high] = [head.readUInt32LE(5), head.readUInt32LE(9)]
  const isSized = high < 256 || (low === 0xffff_ffff && high === 0xffff_ffff)
  return isSized && dictionary >= 4096 && (dictionary & 0xfff) === 0
}

const trailerBytes = 512

function isDiskImage(source: Source, name: string): boolean {
  return (
    /\.dmg$/i.test(name) ||
    source.read(Math.max(0, source.size - trailerBytes), source.size).toString('latin1', 0, 4) === 'koly'
  )
}

/** An ISO image has its mark after the boot sectors. */
function isDiscImage(source: Source): boolean {
  return source.read(0x8001, 0x8006).toString('latin1') === 'CD001'
}

/** The superblock of its file system, after the boot sectors: its mark has two bytes, so more of it has to fit. */
function isExt4(source: Source): boolean {
  const block = source.read(0x400, 0x450)
  return (
    block.length === 0x50 &&
    block.readUInt16LE(0x38) === 0xef53 &&
    block.readUInt32LE(0x18) <= 6 &&
    block.readUInt32LE(0x20) >= 256 &&
    block.readUInt16LE(0x3a) <= 7 &&
    block.readUInt32LE(0x4c) <= 1
  )
}

const encryptedHeads = ['Salted__', '-----BEGIN PGP MESSAGE', 'age-encryption.org/'].map((text) =>
  Buffer.from(text),
)

/** Contents that were encrypted on purpose. */
export const encrypted: Opaque = {
  opens: 'gap',
  name: 'encrypted file',
  begins: encryptedHeads,
  problem: { kind: 'encrypted', reason: 'encrypted file' },
  recognises: (source) => encryptedHeads.some((head) => begins(head)(source, '')),
}
