import { textEncodings } from '../encodings.ts'
import type { Injector, Wish } from '../injector.ts'

/** Overwrites literals that are long enough; their rows get the new lengths. */
export const il2cppMetadata: Injector = {
  format: 'il2cpp-metadata',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 264 && bytes.readUInt32LE(0) === 0xfab11baf,
  slots: [{ slot: 'string literal', encodings: textEncodings }],
  inject(bytes, wishes) {
    const copy = Buffer.from(bytes)
    const [rows, size, data] = [8, 12, 16].map((at) => bytes.readUInt32LE(at)) as [number, number, number]
    const free = Array.from({ length: Math.floor(size / 8) }, (_, index) => rows + index * 8)
      .map((row) => ({ row, length: bytes.readUInt32LE(row) }))
      .sort((a, b) => a.length - b.length)
    const refused = new Map<Wish, string>()
    for (const wish of wishes) {
      const index = free.findIndex(({ length }) => length >= wish.payload.length)
      const [host] = index === -1 ? [] : free.splice(index, 1)
      if (host === undefined) {
        refused.set(wish, `it contains no string of ${wish.payload.length} bytes to overwrite`)
        continue
      }
      wish.payload.copy(copy, data + bytes.readUInt32LE(host.row + 4))
      copy.writeUInt32LE(wish.payload.length, host.row)
    }
    return { bytes: copy, refused }
  },
}
