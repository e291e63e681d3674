import { createHash } from 'node:crypto'
import { plain, textEncodings } from '../encodings.ts'
import { type Injector, refuseAll, textOf, type Wish } from '../injector.ts'

const magic = 'c61fbc03c103191f'
const footerSize = 20

interface Entry {
  readonly at: number
  readonly start: number
  readonly length: number
  readonly isUtf16: boolean
}

/**
 * A string value that is long enough is overwritten and its entry shortened: bytecode refers to strings by their
 * number, and to its own parts by offsets that must not move. The hash at the file's end is made anew.
 */
export const hermes: Injector = {
  format: 'hermes',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 128 && bytes.toString('hex', 0, 8) === magic,
  slots: [
    { slot: 'string', encodings: textEncodings },
    { slot: 'UTF-16 string', encodings: [plain] },
  ],
  inject(bytes, wishes) {
    const strings = stringsOf(bytes)
    if (strings === null) return refuseAll(bytes, wishes, 'its string table was not found')
    const copy = Buffer.from(bytes)
    const refused = new Map<Wish, string>()
    const free = strings.values.filter(
      (entry) => !strings.values.some((other) => other !== entry && overlap(entry, other)),
    )
    for (const wish of [...wishes].sort((a, b) => b.payload.length - a.payload.length)) {
      const isUtf16 = wish.slot === 'UTF-16 string'
      const text = isUtf16 ? `\u00fc ${textOf(wish)}` : textOf(wish)
      const index = free.findIndex((entry) => entry.isUtf16 === isUtf16 && entry.length >= text.length)
      const entry = index === -1 ? undefined : free.splice(index, 1)[0]
      if (entry === undefined) {
        refused.set(
          wish,
          `it has no ${isUtf16 ? 'UTF-16 ' : ''}string of ${text.length} characters that no other overlaps`,
        )
        continue
      }
      copy.write(text, entry.start, isUtf16 ? 'utf16le' : 'latin1')
      copy.writeUInt32LE(((copy.readUInt32LE(entry.at) & 0x00ff_ffff) | (text.length << 24)) >>> 0, entry.at)
    }
    const body = copy.subarray(0, -footerSize)
    createHash('sha1').update(body).digest().copy(copy, body.length)
    return { bytes: copy, refused }
  },
}

function overlap(a: Entry, b: Entry): boolean {
  const end = ({ start, length, isUtf16 }: Entry) => start + length * (isUtf16 ? 2 : 1)
  return a.start < end(b) && b.start < end(a)
}

/** Values of at most 254 characters: longer ones have their extent in another table. */
function stringsOf(bytes: Buffer): { values: Entry[] } | null {
  const [functions = 0, kinds = 0, identifiers = 0, count = 0, overflow = 0] = [40, 44, 48, 52, 56].map(
    (at) => bytes.readUInt32LE(at),
  )
  if (count > bytes.length) return null
  for (const functionSize of [16, 12]) {
    const kindsAt = 128 + functions * functionSize
    let total = 0
    const isName: boolean[] = []
    for (let run = 0; run < kinds && kindsAt + run * 4 + 4 <= bytes.length; run++) {
      const entry = bytes.readUInt32LE(kindsAt + run * 4)
      total += entry & 0x7fff_ffff
      if (total > count) break
      while (isName.length < total) isName.push(entry >>> 31 === 1)
    }
    if (total !== count) continue
    const table = kindsAt + kinds * 4 + identifiers * 4
    const storage = (table + count * 4 + overflow * 8 + 3) & ~3
    const values: Entry[] = []
    for (let index = 0; index < count; index++) {
      const at = table + index * 4
      const entry = bytes.readUInt32LE(at)
      const length = entry >>> 24
      if (length !== 0xff && isName[index] === false)
        values.push({ at, start: storage + ((entry >>> 1) & 0x7f_ffff), length, isUtf16: (entry & 1) === 1 })
    }
    return { values: values.filter(({ length }) => length >= 32).sort((a, b) => a.length - b.length) }
  }
  return null
}
