import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-archives.ts'

// By the formats' own tools, from a text with a made-up key and the numbers to 60: 7z 16.02 (`-m0=lzma2`), lz4 1.9 (`-l` for
// `legacy`), lzip, xz 5.4 (`-C sha256`, `--format=lzma`), GNU cpio (`-H …`), dpkg-deb (`-Zxz`), rpmbuild (`w9.lzdio`), bzip2 (`-1`).
const sample = (name: string) => readFile(join(import.meta.dirname, 'samples', name))

/** As far as its superblock, which says that its blocks are of 4 KB. */
function ext4(): Buffer {
  const image = Buffer.alloc(4096)
  image.writeUInt32LE(2, 0x418)
  image.writeUInt32LE(8192, 0x420)
  image.writeUInt16LE(0xef53, 0x438)
  image.writeUInt16LE(1, 0x43a)
  image.writeUInt32LE(1, 0x44c)
  return image
}

const image = Buffer.concat([Buffer.alloc(600, 1), Buffer.from('koly'), Buffer.alloc(508)])

test('reads the bytes of a format that is not opened, and a zip that is stored in it', async () => {
  const zip = buildZip([{ name: 'a.js', bytes: Buffer.from(`k="${key}"`) }])
  const archive = Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), zip])
  const { findings, gaps } = await auditFiles({ 'a.7z': archive, 'b.cpio': await sample('newc.cpio') })
  expect(placesOf(findings)).toEqual(['dist/a.7z!a.js', 'dist/b.cpio'])
  expect(gaps.map(({ location }) => location)).toEqual(['dist/a.7z', 'dist/b.cpio'])
})

test('opens neither a text nor a static library, and reports no gap for them', async () => {
  const library = Buffer.concat([
    Buffer.from('!<arch>\nmain.o/         0           0     0     644     8         `\n'),
    Buffer.alloc(8),
  ])
  const { gaps } = await auditFiles({
    'a.a': library,
    'b.txt': Buffer.from('BZh is how bzip2 begins'),
    'c.txt': Buffer.from(']\0\0 0707'),
  })
  expect(gaps).toEqual([])
})

const shell = Buffer.from('#!/bin/sh\ntail -n +3 "$0" | tar -xz\n')

/** The start header of a 7z archive, with its checksum. */
function sevenZip(): Buffer {
  const header = Buffer.alloc(64, 1)
  Buffer.from('377abcaf271c0004', 'hex').copy(header)
  header.writeUInt32LE(crc32(header.subarray(12, 32)), 8)
  return header
}

function cabinet(): Buffer {
  const header = Buffer.alloc(64)
  header.write('MSCF')
  header.writeUInt32LE(4096, 8)
  header.writeUInt16LE(0x0103, 24)
  return header
}

function squashFs(): Buffer {
  const header = Buffer.alloc(96)
  header.write('hsqs')
  header.writeUInt32LE(131_072, 12)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(17, 22)
  header.writeUInt16LE(4, 28)
  return header
}

const nsis = Buffer.from('\0\0\0\0\xef\xbe\xad\xdeNullsoftInst', 'latin1')

/** A program of 64 bits whose table of sections is its end. */
function linuxProgram(): Buffer {
  const program = Buffer.alloc(1000, 7)
  Buffer.from('7f454c46020101', 'hex').copy(program)
  program.writeBigUInt64LE(1000n - 128n, 0x28)
  program.writeUInt16LE(64, 0x3a)
  program.writeUInt16LE(2, 0x3c)
  return program
}

/** A program with one section, which ends where the file does. */
function windowsProgram(size: number): Buffer {
  const program = Buffer.alloc(size, 7)
  program.write('MZ')
  program.writeUInt32LE(128, 0x3c)
  program.write('PE\0\0', 128)
  program.writeUInt16LE(1, 128 + 6)
  program.writeUInt16LE(0, 128 + 20)
  program.writeUInt32LE(size - 512, 128 + 24 + 16)
  program.writeUInt32LE(512, 128 + 24 + 20)
  return program
}

const compoundFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)])
const program = windowsProgram(1024)
const large = windowsProgram(3 * 1024 * 1024)
const settings = Buffer.from(';!@Install@!UTF-8!\nTitle="A"\n;!@InstallEnd@!')

/** The mark of UPX, its version and the kind of program: at once in Windows, behind a length in Linux. */
const [upxOfWindows, upxOfLinux] = [Buffer.from('UPX!\x0d\x24'), Buffer.from('UPX!\x10\x0e\x0d\x16')]

/** The end of PyInstaller's archive: its length, the place and length of its table, the version and name of Python. */
function cookie(length: number): Buffer {
  const end = Buffer.alloc(88)
  Buffer.from('4d45490c0b0a0b0e', 'hex').copy(end)
  end.writeUInt32BE(length, 8)
  end.writeUInt32BE(100, 12)
  return end
}

const innoSetup = Buffer.from('rDlPtS\xcd\xe6\xd7{\x0b*', 'latin1')

test.each<[string, Buffer[], string]>([
  ['7z', [await sample('lzma2.7z')], '7z x'],
  ['xz', [await sample('sha256.xz')], 'xz -d'],
  ['bzip2', [await sample('blocks.bz2')], 'bzip2 -d'],
  ['lz4', [await sample('frame.lz4')], 'lz4 -d'],
  ['lz4 of a ramdisk', [await sample('legacy.lz4')], 'lz4 -d'],
  ['lzip', [await sample('key.lz')], 'lzip -d'],
  ['LZMA', [await sample('key.lzma')], 'xz --format=lzma -d'],
  ['a Debian package', [await sample('xz.deb')], 'dpkg-deb -R'],
  ['RPM', [await sample('lzma.rpm')], 'bsdtar -xf'],
  ['cpio of packages', [await sample('newc.cpio')], 'cpio -idm'],
  ['cpio in octal digits', [await sample('odc.cpio')], 'cpio -idm'],
  ['cpio in words', [await sample('bin.cpio')], 'cpio -idm'],
  ['RAR', [Buffer.from('Rar!\x1a\x07\x01\0', 'latin1')], 'unrar x'],
  ['a Windows image', [Buffer.from('MSWIM\0\0\0')], '7z x'],
  ['lrzip', [Buffer.from('LRZI\0\x06', 'latin1')], 'lrzip -d'],
  ['ZPAQ', [Buffer.from('7kSt')], 'zpaq x'],
  ['a SquashFS image', [Buffer.from('hsqs\0\0\0\0')], 'unsquashfs'],
  ['a disk image', [image], '7z x'],
  ['a disk image behind zlib', [Buffer.concat([Buffer.from('789c4b04', 'hex'), image])], '7z x'],
  ['an ext4 image', [ext4()], '7z x'],
  ['a program of Windows packed by UPX', [windowsProgram(600), upxOfWindows, program], 'upx -d'],
  ['a program of Linux packed by UPX', [linuxProgram(), upxOfLinux, program], 'upx -d'],
  ['PyInstaller', [linuxProgram(), Buffer.alloc(500, 1), cookie(588), Buffer.alloc(640)], 'pyinstxtractor'],
  ['Inno Setup', [windowsProgram(2000), innoSetup, program], 'innoextract'],
  ['an NSIS installer', [program, nsis], '7z x'],
  ['a large NSIS installer', [large, nsis], '7z x'],
  ['a self-extracting 7z archive', [program, settings, sevenZip()], '7z x'],
  ['a self-extracting RAR archive', [program, Buffer.from('Rar!\x1a\x07\x01\0', 'latin1')], 'unrar x'],
  ['a cabinet among the resources of a program', [windowsProgram(2000), cabinet(), program], '7z x'],
  ['a cabinet in an installer (MSI)', [compoundFile, Buffer.alloc(4096), cabinet()], '7z x'],
  ['an AppImage', [linuxProgram(), squashFs()], '--appimage-extract or unsquashfs -o OFFSET'],
  ['a script with gzip behind it', [shell, gzipSync('a')], 'tail -n +LINE and tar -x'],
  ['a script with zstd behind it', [shell, zstdCompressSync('a')], 'tail -n +LINE and tar -x'],
  ['a script with xz behind it', [shell, Buffer.from('fd377a585a000004', 'hex')], 'tail -n +LINE and tar -x'],
  ['a script with bzip2 behind it', [shell, Buffer.from('BZh91AY&SY')], 'tail -n +LINE and tar -x'],
])('reports a gap for %s that names its tool, alone and in an archive', async (_, parts, tool) => {
  const bytes = Buffer.concat(parts)
  const { gaps } = await auditFiles({ file: bytes, 'a.apk': buildZip([{ name: 'file', bytes }]) })
  const inside = gaps.filter(({ rule }) => rule === 'AUD-092')
  expect(inside.map(({ location }) => location)).toEqual(['dist/a.apk!file', 'dist/file'])
  for (const { reason } of inside) expect(reason).toContain(`unpack it with ${tool}, and audit the result`)
})

test.each<[string, Buffer[]]>([
  [
    'a program that can open all of them',
    [program, Buffer.from('7z\xbc\xaf\x27\x1c hsqs MSCF\0\0\0\0 Rar!\x1a\x07x', 'latin1')],
  ],
  ['a library', [linuxProgram()]],
  ['a word for UPX', [linuxProgram(), Buffer.from('not UPX! but this')]],
  ['a word for PyInstaller', [program, cookie(0)]],
  [
    'a text about all of them',
    [Buffer.from('MZ UPX! rDlPtS'), Buffer.from('MEI\x0c\x0b\x0a\x0b\x0e', 'latin1')],
  ],
  ['a document with a word for a cabinet', [compoundFile, Buffer.from('MSCF\0\0\0\0\0\0\0\0')]],
  ['a script', [Buffer.from('#!/bin/sh\necho hello\n')]],
  ['a script with a word for bzip2', [shell, Buffer.from('BZh is a mark')]],
])('reports no gap for %s', async (_, parts) => {
  const { gaps } = await auditFiles({ 'a.bin': Buffer.concat(parts) })
  expect(gaps).toEqual([])
})
