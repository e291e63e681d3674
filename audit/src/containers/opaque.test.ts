import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'

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

test.each<[string, Buffer, string]>([
  ['7z', await sample('lzma2.7z'), '7z x'],
  ['xz', await sample('sha256.xz'), 'xz -d'],
  ['bzip2', await sample('blocks.bz2'), 'bzip2 -d'],
  ['lz4', await sample('frame.lz4'), 'lz4 -d'],
  ['lz4 of a ramdisk', await sample('legacy.lz4'), 'lz4 -d'],
  ['lzip', await sample('key.lz'), 'lzip -d'],
  ['LZMA', await sample('key.lzma'), 'xz --format=lzma -d'],
  ['a Debian package', await sample('xz.deb'), 'dpkg-deb -R'],
  ['RPM', await sample('lzma.rpm'), 'bsdtar -xf'],
  ['cpio of packages', await sample('newc.cpio'), 'cpio -idm'],
  ['cpio in octal digits', await sample('odc.cpio'), 'cpio -idm'],
  ['cpio in words', await sample('bin.cpio'), 'cpio -idm'],
  ['RAR', Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'), 'unrar x'],
  ['a Windows image', Buffer.from('MSWIM\0\0\0'), '7z x'],
  ['lrzip', Buffer.from('LRZI\0\x06', 'latin1'), 'lrzip -d'],
  ['ZPAQ', Buffer.from('7kSt'), 'zpaq x'],
  ['a SquashFS image', Buffer.from('hsqs\0\0\0\0'), 'unsquashfs'],
  ['a disk image', image, '7z x'],
  ['a disk image behind zlib', Buffer.concat([Buffer.from('789c4b04', 'hex'), image]), '7z x'],
  ['an ext4 image', ext4(), '7z x'],
])('reports a gap for %s that names its tool, alone and in an archive', async (_, bytes, tool) => {
  const { gaps } = await auditFiles({ file: bytes, 'a.apk': buildZip([{ name: 'file', bytes }]) })
  const inside = gaps.filter(({ rule }) => rule === 'AUD-092')
  expect(inside.map(({ location }) => location)).toEqual(['dist/a.apk!file', 'dist/file'])
  for (const { reason } of inside) expect(reason).toContain(`unpack it with ${tool}, and audit the result`)
})

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
