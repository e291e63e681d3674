const encryptionInfo = new Set([0x21, 0x2c])

/** Says whether a Mach-O, thin or fat, states that a part of it is encrypted for the store. */
export function isFairPlayEncrypted(bytes: Buffer): boolean {
  try {
    const magic = bytes.readUInt32BE(0)
    if (magic !== 0xcafebabe && magic !== 0xcafebabf) return isThinEncrypted(bytes)
    const wide = magic === 0xcafebabf
    const count = Math.min(32, bytes.readUInt32BE(4))
    for (let arch = 0; arch < count; arch++) {
      const at = 8 + arch * (wide ? 32 : 20) + 8
      const start = wide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
      if (isThinEncrypted(bytes.subarray(start))) return true
    }
    return false
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The same of a part of a fat one, whose programs begin wherever it states. Those of the store are little-endian. */
export function hasFairPlayEncrypted(bytes: Buffer): boolean {
  return thinMagics.some((magic) => {
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + magic.length))
      if (isFairPlayEncrypted(bytes.subarray(at))) return true
    return false
  })
}

const thinMagics = [Buffer.from('cefaedfe', 'hex'), Buffer.from('cffaedfe', 'hex')]

function isThinEncrypted(bytes: Buffer): boolean {
  const magic = bytes.readUInt32BE(0)
  const isLittle = magic === 0xcefaedfe || magic === 0xcffaedfe
  const read = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  let at = magic === 0xcffaedfe || magic === 0xfeedfacf ? 32 : 28
  const count = Math.min(read(16), 10_000)
  for (let command = 0; command < count; command++) {
    const size = read(at + 4)
    if (encryptionInfo.has(read(at)) && read(at + 16) !== 0) return true
    if (size < 8) return false
    at += size
  }
  return false
}
