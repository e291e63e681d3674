import { crc32 } from 'node:zlib'
import type { OpeningOf } from './container-format.ts'
import { opaque } from './opaque.ts'
import type { Source } from './source.ts'

/** Archives behind a program or in an installer: what a self-extracting file is. */

const megabyte = 1024 * 1024
/** Behind its end a program may have settings in front of the archive. */
const settingsBytes = 64 * 1024
const mostOfInstaller = 64 * megabyte
const headBytes = 64 * 1024

const windowsProgram = Buffer.from('MZ')
const linuxProgram = Buffer.from('\x7fELF', 'latin1')
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const script = Buffer.from('#!')

interface Archive {
  readonly name: string
  readonly mark: Buffer
  readonly tool: string
  /** Says whether the rest of the header fits: some bytes only look like the mark. */
  isAt(bytes: Buffer, at: number): boolean
}

const archives: readonly Archive[] = [
  {
    name: 'an NSIS installer',
    mark: Buffer.from('\xef\xbe\xad\xdeNullsoftInst', 'latin1'),
    tool: '7z x',
    isAt: () => true,
  },
  {
    name: 'a self-extracting 7z archive',
    mark: Buffer.from('377abcaf271c', 'hex'),
    tool: '7z x',
    isAt: (bytes, at) =>
      at + 32 <= bytes.length && crc32(bytes.subarray(at + 12, at + 32)) === bytes.readUInt32LE(at + 8),
  },
  {
    name: 'a self-extracting RAR archive',
    mark: Buffer.from('Rar!\x1a\x07', 'latin1'),
    tool: 'unrar x',
    isAt: (bytes, at) => bytes[at + 6] === 0 || (bytes[at + 6] === 1 && bytes[at + 7] === 0),
  },
  {
    name: 'an installer with a cabinet',
    mark: Buffer.from('MSCF\0\0\0\0'),
    tool: '7z x',
    isAt: (bytes, at) =>
      at + 36 <= bytes.length &&
      bytes.readUInt32LE(at + 8) > 36 &&
      bytes.readUInt32LE(at + 12) === 0 &&
      bytes.readUInt16LE(at + 24) === 0x0103,
  },
  {
    name: 'a program with a SquashFS image, such as an AppImage,',
    mark: Buffer.from('hsqs'),
    tool: '--appimage-extract or unsquashfs -o OFFSET',
    isAt: (bytes, at) =>
      at + 32 <= bytes.length &&
      bytes.readUInt32LE(at + 12) === 2 ** bytes.readUInt16LE(at + 22) &&
      bytes.readUInt16LE(at + 20) <= 6 &&
      bytes.readUInt32LE(at + 28) === 4,
  },
]

/** Each is recognised where its stub says that it ends, and in a program of Windows also in its first megabyte. */
export const archivesBehindStubs: readonly Stubbed[] = archives.map((archive) => ({
  ...opaque(archive.name, archive.tool, (source) =>
    stretchesIn(source).some((bytes) => hasMark(bytes, archive)),
  ),
  begins: [windowsProgram, linuxProgram, compoundFile],
}))

type Stubbed = OpeningOf<'gap'>

const packerBytes = 4096
const cookieBytes = 88

/** Programs that unpack themselves into memory or a folder, and the part of the file that says so. */
const packed: readonly (Archive & { stretch(source: Source): Buffer })[] = [
  {
    name: 'a program packed by UPX',
    mark: Buffer.from('UPX!'),
    tool: 'upx -d',
    stretch: (source) => source.read(0, packerBytes),
    // Its version, then the kind of program: at once in Windows, behind a length in Linux.
    isAt: (bytes, at) =>
      [at + 4, at + 6].some((place) => isIn(bytes[place], 8, 20) && isIn(bytes[place + 1], 1, 44)),
  },
  {
    name: 'a program of PyInstaller',
    mark: Buffer.from('MEI\x0c\x0b\x0a\x0b\x0e', 'latin1'),
    tool: 'pyinstxtractor',
    stretch: (source) => source.read(Math.max(0, source.size - settingsBytes), source.size),
    // The length of the archive, and where its table is in it.
    isAt: (bytes, at) =>
      at + cookieBytes <= bytes.length && bytes.readUInt32BE(at + 8) > bytes.readUInt32BE(at + 12),
  },
  {
    name: 'an installer of Inno Setup',
    mark: Buffer.from('rDlPtS\xcd\xe6\xd7{\x0b*', 'latin1'),
    tool: 'innoextract',
    stretch: (source) => source.read(0, megabyte),
    isAt: (bytes) => bytes.subarray(0, 2).equals(windowsProgram),
  },
]

function isIn(byte: number | undefined, first: number, last: number): boolean {
  return byte !== undefined && byte >= first && byte <= last
}

export const packedPrograms: readonly Stubbed[] = packed.map((program) => ({
  ...opaque(
    program.name,
    program.tool,
    (source) => isProgram(source) && hasMark(program.stretch(source), program),
  ),
  begins: [windowsProgram, linuxProgram],
}))

/** The first two bytes alone are those of many texts. */
function isProgram(source: Source): boolean {
  const head = source.read(0, linuxProgram.length)
  return head.equals(linuxProgram) || head.subarray(0, 2).equals(windowsProgram)
}

/** Says whether the mark is anywhere in the bytes with a header that fits. */
function hasMark(bytes: Buffer, { mark, isAt }: Pick<Archive, 'mark' | 'isAt'>): boolean {
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
    if (isAt(bytes, at)) return true
  return false
}

/** Where an archive may be. Libraries of apps have nothing behind their end, and cost next to nothing. */
function stretchesIn(source: Source): Buffer[] {
  const head = source.read(0, headBytes)
  if (head.subarray(0, compoundFile.length).equals(compoundFile)) return [source.read(0, mostOfInstaller)]
  const isWindows = head.subarray(0, 2).equals(windowsProgram)
  const end = isWindows ? endOfWindowsProgram(head) : endOfLinuxProgram(head)
  return [
    ...(isWindows ? [source.read(0, megabyte)] : []),
    ...(end !== null && end < source.size ? [source.read(end, end + settingsBytes)] : []),
  ]
}

/** Behind the last of its sections; `null` of what has none. */
function endOfWindowsProgram(head: Buffer): number | null {
  const start = head.length < 64 ? head.length : head.readUInt32LE(0x3c)
  if (head.toString('latin1', start, start + 4) !== 'PE\0\0' || start + 24 > head.length) return null
  const count = head.readUInt16LE(start + 6)
  const sections = start + 24 + head.readUInt16LE(start + 20)
  let end = 0
  for (let at = sections; at + 40 <= head.length && at < sections + 40 * count; at += 40)
    end = Math.max(end, head.readUInt32LE(at + 16) + head.readUInt32LE(at + 20))
  return end === 0 ? null : end
}

/** Behind the table of its sections, which linkers write last; `null` of what has none. */
function endOfLinuxProgram(head: Buffer): number | null {
  if (head.length < 64 || !head.subarray(0, 4).equals(linuxProgram) || head[5] !== 1) return null
  const isWide = head[4] === 2
  const table = isWide ? Number(head.readBigUInt64LE(0x28)) : head.readUInt32LE(0x20)
  const [size, count] = isWide
    ? [head.readUInt16LE(0x3a), head.readUInt16LE(0x3c)]
    : [head.readUInt16LE(0x2e), head.readUInt16LE(0x30)]
  return table === 0 ? null : table + size * count
}

/** First bytes of what such a script unpacks: gzip with flags of five bits, bzip2, xz, zstd. */
const packedBehindLine: readonly Pick<Archive, 'mark' | 'isAt'>[] = [
  { mark: Buffer.from('\n\x1f\x8b\x08', 'latin1'), isAt: (bytes, at) => (bytes[at + 4] ?? 255) < 32 },
  {
    mark: Buffer.from('\nBZh', 'latin1'),
    isAt: (bytes, at) => bytes.toString('hex', at + 5, at + 11) === '314159265359',
  },
  { mark: Buffer.from('\n\xfd7zXZ\0', 'latin1'), isAt: () => true },
  { mark: Buffer.from('\n\x28\xb5\x2f\xfd', 'latin1'), isAt: () => true },
]

/** A script of the shell that unpacks what is behind its last line, as makeself writes it. */
export const shellArchive: Stubbed = {
  ...opaque('a shell script with an archive behind its last line', 'tail -n +LINE and tar -x', (source) => {
    const bytes = source.read(0, script.length).equals(script) ? source.read(0, megabyte) : script
    return packedBehindLine.some((packed) => hasMark(bytes, packed))
  }),
  begins: [script],
}
