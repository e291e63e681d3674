const magics: readonly (readonly [what: string, magic: Buffer])[] = [
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

/** What a file is that nothing here can open, by its mark; `null` for any other. */
export function opaqueKind(name: string, bytes: Buffer): string | null {
  const isLikely = bytes.length > 1 && startsOpaque(bytes.readUInt16BE(0))
  const known = isLikely
    ? magics.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))
    : undefined
  if (known !== undefined) return known[0]
  if (isDiskImage(bytes)) return 'a disk image'
  if (isDiscImage(bytes)) return 'an ISO image'
  return isLzma(name, bytes) ? 'LZMA compression' : null
}

const beginnings = new Set(magics.map(([, magic]) => magic.readUInt16BE(0)))

/** Whether such a file can begin with two bytes (in big endian), unless its mark is elsewhere. */
export function startsOpaque(beginning: number): boolean {
  return beginnings.has(beginning)
}

/** An ISO image has its mark after the boot sectors. */
export function isDiscImage(bytes: Buffer): boolean {
  return bytes.length > 0x8006 && bytes.toString('latin1', 0x8001, 0x8006) === 'CD001'
}

const trailer = 512

/** A disk image has its mark at the beginning of its last block. */
export function isDiskImage(bytes: Buffer): boolean {
  return (
    bytes.length >= 4 &&
    bytes.readUInt32BE(Math.min(bytes.length - 4, Math.max(0, bytes.length - trailer))) === 0x6b6f6c79
  )
}

/** The old format has no mark: properties, the size of the dictionary, and the size of the contents. */
function isLzma(name: string, bytes: Buffer): boolean {
  return /\.(?:lzma|tlz)$/i.test(name) && bytes.length > 13 && (bytes[0] ?? 255) < 225
}

/** Contents that somebody has encrypted. */
export function isEncrypted(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 32)
  return /^(?:Salted__|-----BEGIN PGP MESSAGE|age-encryption\.org\/)/.test(head)
}
