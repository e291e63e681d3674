const magics: readonly (readonly [what: string, at: number, magic: Buffer])[] = [
  ['a 7z archive', 0, Buffer.from('377abcaf271c', 'hex')],
  ['a RAR archive', 0, Buffer.from('Rar!\x1a\x07', 'latin1')],
  ['lz4 compression', 0, Buffer.from('04224d18', 'hex')],
  ['lz4 compression', 0, Buffer.from('02214c18', 'hex')],
  ['lzip compression', 0, Buffer.from('LZIP')],
  ['lzop compression', 0, Buffer.from('894c5a4f000d0a1a', 'hex')],
  ['compress (.Z)', 0, Buffer.from('1f9d', 'hex')],
  ['LZFSE compression', 0, Buffer.from('bvx2')],
  ['a xar archive', 0, Buffer.from('xar!')],
  ['a cabinet', 0, Buffer.from('MSCF\0\0\0\0')],
  ['a Debian package', 0, Buffer.from('!<arch>\ndebian-binary')],
  ['an RPM package', 0, Buffer.from('edabeedb', 'hex')],
  ['a SquashFS image', 0, Buffer.from('hsqs')],
  ['Pack200 compression', 0, Buffer.from('cafed00d', 'hex')],
  ['a Unity bundle', 0, Buffer.from('UnityFS\0', 'latin1')],
  ['a Unity bundle', 0, Buffer.from('UnityWeb\0', 'latin1')],
  ['an ISO image', 0x8001, Buffer.from('CD001')],
]

/** What a file is that nothing here can open, by its mark; `null` for any other. */
export function opaqueKind(name: string, bytes: Buffer): string | null {
  const known = magics.find(([, at, magic]) => bytes.subarray(at, at + magic.length).equals(magic))
  if (known !== undefined) return known[0]
  if (isDiskImage(bytes)) return 'a disk image'
  return isLzma(name, bytes) ? 'LZMA compression' : null
}

const firstBytes = new Set(magics.flatMap(([, at, magic]) => (at === 0 ? [magic[0]] : [])))

/** Whether such a file can begin with a byte, unless its mark is elsewhere. */
export function startsOpaque(first: number): boolean {
  return firstBytes.has(first)
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
