import { createHash } from 'node:crypto'
import { plain, textEncodings } from '../encodings.ts'
import { type Planter, textOf, type Wish } from '../planter.ts'
import { stringUses } from './dex-code.ts'

const stringDataType = 0x2002
const mapType = 0x1000

/**
 * `string_ids` must stay sorted, so a canary takes the place of one of the strings that it would stand between, and an
 * instruction or a static value is made to refer to it. Strings then differ in length: all their data are written anew
 * at the end of the file, and the map, the checksum and the signature after it.
 */
export const dex: Planter = {
  format: 'dex',
  recognises: (_, bytes) => bytes.length > 112 && /^dex\n03\d\0/.test(bytes.toString('latin1', 0, 8)),
  slots: [
    { slot: 'const-string', encodings: textEncodings },
    { slot: 'static value', encodings: [plain] },
  ],
  plant(bytes, wishes) {
    const count = bytes.readUInt32LE(56)
    const table = bytes.readUInt32LE(60)
    const items = Array.from({ length: count }, (_, index) =>
      stringItem(bytes, bytes.readUInt32LE(table + index * 4)),
    )
    const places = placesFor(items.map(contentOf), wishes.map(textOf), takenNames(bytes))
    const { constStrings, staticValues } = stringUses(bytes)
    const body = Buffer.from(bytes)
    const refused = new Map<Wish, string>()
    wishes.forEach((wish, at) => {
      const place = places[at]
      if (place === undefined) {
        refused.set(wish, 'it has no string whose place it could take')
        return
      }
      const uses = wish.slot === 'const-string' ? constStrings : staticValues
      const index = uses.findIndex(({ width }) => place < 256 ** width)
      const use = index === -1 ? undefined : uses.splice(index, 1)[0]
      if (use === undefined) {
        refused.set(wish, `it has no ${wish.slot} that could refer to it`)
        return
      }
      items[place] = Buffer.concat([Buffer.from([wish.payload.length]), wish.payload, Buffer.alloc(1)])
      body.fill(0, use.at, use.at + use.width).writeUIntLE(place, use.at, Math.min(use.width, 4))
    })
    return { bytes: rewritten(body, items, table), refused }
  },
}

function stringItem(bytes: Buffer, at: number): Buffer {
  let start = at
  while (bytes.readUInt8(start) >= 0x80) start += 1
  return bytes.subarray(at, bytes.indexOf(0, start + 1) + 1)
}

function contentOf(item: Buffer): Buffer {
  return item.subarray(item.findIndex((byte) => byte < 0x80) + 1, -1)
}

interface Names {
  /** Of types and shapes of methods. */
  readonly descriptors: ReadonlySet<number>
  /** Of fields and methods. */
  readonly members: ReadonlySet<number>
}

function takenNames(bytes: Buffer): Names {
  const column = (header: number, width: number, field: number) =>
    Array.from({ length: bytes.readUInt32LE(header) }, (_, row) =>
      bytes.readUInt32LE(bytes.readUInt32LE(header + 4) + row * width + field),
    )
  return {
    descriptors: new Set([...column(64, 4, 0), ...column(72, 12, 0)]),
    members: new Set([...column(80, 8, 4), ...column(88, 8, 4)]),
  }
}

const memberName = /^[\w$-]+$/

/**
 * For each text the index of a string whose place it can take: the table stays sorted, no descriptor loses its form,
 * and a member is only renamed to what may be a name.
 */
function placesFor(
  strings: readonly Buffer[],
  texts: readonly string[],
  { descriptors, members }: Names,
): (number | undefined)[] {
  const places: (number | undefined)[] = texts.map(() => undefined)
  const taken = new Set(descriptors)
  const fits = (place: number, text: Buffer) =>
    strings[place] !== undefined &&
    !taken.has(place) &&
    (memberName.test(text.toString('latin1')) || !members.has(place))
  const sorted = texts
    .map((text, at) => ({ text: Buffer.from(text), at }))
    .sort((a, b) => a.text.compare(b.text))
  const groups = Map.groupBy(sorted, ({ text }) => strings.findLastIndex((one) => one.compare(text) < 0) + 1)
  for (const [between, group] of groups) {
    // A run of free neighbours around the place in the order; the texts take it in their own order.
    for (let some = group; some.length > 0; some = some.slice(1)) {
      const first = Array.from({ length: some.length + 1 }, (_, back) => between - back).find((start) =>
        some.every(({ text }, step) => fits(start + step, text)),
      )
      if (first === undefined) continue
      some.forEach(({ at }, step) => {
        places[at] = first + step
        taken.add(first + step)
      })
      break
    }
  }
  return places
}

function rewritten(body: Buffer, items: readonly Buffer[], table: number): Buffer {
  const mapAt = body.readUInt32LE(52)
  const rows = Array.from({ length: body.readUInt32LE(mapAt) }, (_, row) => {
    const at = mapAt + 4 + row * 12
    return { type: body.readUInt16LE(at), size: body.readUInt32LE(at + 4), offset: body.readUInt32LE(at + 8) }
  })
  // What is left of the old data is padding, which has to be zero.
  items.forEach((_, index) => {
    const at = body.readUInt32LE(table + index * 4)
    body.fill(0, at, at + stringItem(body, at).length)
  })
  body.fill(0, mapAt, mapAt + 4 + rows.length * 12)
  let at = body.length
  items.forEach((item, index) => {
    body.writeUInt32LE(at, table + index * 4)
    at += item.length
  })
  const padding = Buffer.alloc((4 - (at & 3)) & 3)
  const newMapAt = at + padding.length
  const moved = rows
    .map((row) => {
      if (row.type === stringDataType) return { ...row, offset: body.length }
      return row.type === mapType ? { ...row, offset: newMapAt } : row
    })
    .sort((a, b) => a.offset - b.offset)
  const map = Buffer.alloc(4 + moved.length * 12)
  map.writeUInt32LE(moved.length)
  moved.forEach(({ type, size, offset }, row) => {
    map.writeUInt16LE(type, 4 + row * 12)
    map.writeUInt32LE(size, 8 + row * 12)
    map.writeUInt32LE(offset, 12 + row * 12)
  })
  const whole = Buffer.concat([body, ...items, padding, map])
  whole.writeUInt32LE(whole.length, 32)
  whole.writeUInt32LE(newMapAt, 52)
  whole.writeUInt32LE(whole.length - whole.readUInt32LE(108), 104)
  createHash('sha1').update(whole.subarray(32)).digest().copy(whole, 12)
  whole.writeUInt32LE(adler32(whole.subarray(12)), 8)
  return whole
}

function adler32(bytes: Buffer): number {
  let [a, b] = [1, 0]
  for (let at = 0; at < bytes.length; ) {
    // So many steps stay within what a number holds exactly before the remainder is taken.
    for (const end = Math.min(bytes.length, at + 3800); at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65_521
    b %= 65_521
  }
  return ((b << 16) | a) >>> 0
}
