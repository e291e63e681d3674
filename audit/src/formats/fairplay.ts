import { parsed } from './parsed.ts'

const encryptionInfo = new Set([0x21, 0x2c])

/** Where the parts of a fat Mach-O begin, which may say that there are any number; a thin one is its only part. */
export function partsOf(bytes: Buffer): number[] {
  const magic = bytes.readUInt32BE(0)
  if (magic !== 0xcafebabe && magic !== 0xcafebabf) return [0]
  const isWide = magic === 0xcafebabf
  return Array.from({ length: Math.min(32, bytes.readUInt32BE(4)) }, (_, index) => {
    const at = 8 + index * (isWide ? 32 : 20) + 8
    return isWide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
  })
}

/** Says whether a Mach-O, thin or fat, states that a part of it is encrypted for the store. */
export function isFairPlayEncrypted(bytes: Buffer): boolean {
  const isEncrypted = (start: number) => start < bytes.length && isThinEncrypted(bytes.subarray(start))
  return parsed(() => partsOf(bytes).some(isEncrypted), false)
}

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
