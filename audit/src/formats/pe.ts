import type { MarkedFormat } from './audited-format.ts'

/** Native programs and libraries of Windows. Those of Go and Rust end no string with a zero. */
export const pe: MarkedFormat = {
  by: 'mark',
  name: 'pe',
  marks: [0x4d5a9000, 0x4d5a7800],
  isMeant: (bytes) => headerOf(bytes) !== -1,
  packsStrings: true,
}

const signature = 0x4550

function headerOf(bytes: Buffer): number {
  const at = bytes.length < 64 ? bytes.length : bytes.readUInt32LE(60)
  return at + 264 < bytes.length && bytes.readUInt32LE(at) === signature ? at : -1
}
