const [p1, p2, p3, p4, p5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1]

const turned = (value: number, by: number) => (value << by) | (value >>> (32 - by))

/** The checksum that lz4 frames use, with a seed of zero: 32 bits, without a sign. */
export function xxh32(bytes: Buffer): number {
  let at = 0
  let sum = p5
  if (bytes.length >= 16) {
    const lanes = [p1 + p2, p2, 0, -p1].map((lane) => lane | 0)
    for (; at + 16 <= bytes.length; at += 16)
      for (let lane = 0; lane < 4; lane++) {
        const added = (lanes[lane] ?? 0) + Math.imul(bytes.readInt32LE(at + lane * 4), p2)
        lanes[lane] = Math.imul(turned(added | 0, 13), p1)
      }
    sum = [1, 7, 12, 18].reduce((total, by, lane) => total + turned(lanes[lane] ?? 0, by), 0)
  }
  sum = (sum + bytes.length) | 0
  for (; at + 4 <= bytes.length; at += 4)
    sum = Math.imul(turned((sum + Math.imul(bytes.readInt32LE(at), p3)) | 0, 17), p4)
  for (; at < bytes.length; at++) sum = Math.imul(turned((sum + Math.imul(bytes[at] ?? 0, p5)) | 0, 11), p1)
  sum = Math.imul(sum ^ (sum >>> 15), p2)
  sum = Math.imul(sum ^ (sum >>> 13), p3)
  return (sum ^ (sum >>> 16)) >>> 0
}
