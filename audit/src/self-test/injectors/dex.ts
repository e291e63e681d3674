import { plain, textEncodings } from '../encodings.ts'
import { type Injector, textOf, type Wish } from '../injector.ts'
import { stringUses } from './dex-code.ts'
import { rewritten, stringItem } from './dex-strings.ts'
import { varint } from './protobuf.ts'

/**
 * `string_ids` must stay sorted, so a canary takes the place of one of the strings that it would be between, and an
 * instruction or a static value is made to refer to it. Strings then differ in length: all their data are written anew
 * at the end of the file, and the map, the checksum and the signature after it.
 */
export const dex: Injector = {
  format: 'dex',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 112 && /^dex\n03\d\0/.test(bytes.toString('latin1', 0, 8)),
  slots: [
    { slot: 'const-string', encodings: textEncodings },
    { slot: 'static value', encodings: [plain] },
  ],
  inject(bytes, wishes) {
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
        refused.set(wish, 'it has no string to replace')
        return
      }
      const uses = wish.slot === 'const-string' ? constStrings : staticValues
      const index = uses.findIndex(({ width }) => place < 256 ** width)
      const use = index === -1 ? undefined : uses.splice(index, 1)[0]
      if (use === undefined) {
        refused.set(wish, `it has no ${wish.slot} to refer to it`)
        return
      }
      items[place] = Buffer.concat([Buffer.from(varint(wish.payload.length)), wish.payload, Buffer.alloc(1)])
      body.fill(0, use.at, use.at + use.width).writeUIntLE(place, use.at, Math.min(use.width, 4))
    })
    return { bytes: rewritten(body, items, table), refused }
  },
}

function contentOf(item: Buffer): Buffer {
  return item.subarray(item.findIndex((byte) => byte < 0x80) + 1, -1)
}

interface Names {
  /** Strings that name types and shapes of methods. */
  readonly descriptors: ReadonlySet<number>
  /** Strings that name fields and methods. */
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
