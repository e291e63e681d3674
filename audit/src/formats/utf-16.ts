/** A text in UTF-16 with a byte order mark, as UTF-8; `null` for anything else. */
export function fromUtf16(bytes: Buffer): Buffer | null {
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  if (!isBig && !(bytes[0] === 0xff && bytes[1] === 0xfe)) return null
  const even = bytes.subarray(2, bytes.length & ~1)
  return Buffer.from((isBig ? Buffer.from(even).swap16() : even).toString('utf16le'))
}
