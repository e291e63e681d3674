/** Places in a DEX file that refer to a string by its number, and that may refer to another one instead. */
export interface StringUse {
  readonly at: number
  /** In bytes. */
  readonly width: number
}

/** Instructions in 16-bit units, by ranges of opcodes; an opcode in no range takes one unit. */
const lengths: readonly (readonly [from: number, to: number, units: number])[] = [
  [0x02, 0x02, 2],
  [0x03, 0x03, 3],
  [0x05, 0x05, 2],
  [0x06, 0x06, 3],
  [0x08, 0x08, 2],
  [0x09, 0x09, 3],
  [0x13, 0x13, 2],
  [0x14, 0x14, 3],
  [0x15, 0x16, 2],
  [0x17, 0x17, 3],
  [0x18, 0x18, 5],
  [0x19, 0x1a, 2],
  [0x1b, 0x1b, 3],
  [0x1c, 0x1c, 2],
  [0x1f, 0x20, 2],
  [0x22, 0x23, 2],
  [0x24, 0x26, 3],
  [0x29, 0x29, 2],
  [0x2a, 0x2c, 3],
  [0x2d, 0x3d, 2],
  [0x44, 0x6d, 2],
  [0x6e, 0x72, 3],
  [0x74, 0x78, 3],
  [0x90, 0xaf, 2],
  [0xd0, 0xe2, 2],
  [0xfa, 0xfb, 4],
  [0xfc, 0xfd, 3],
  [0xfe, 0xff, 2],
]
const unitsOf = new Uint8Array(256).fill(1)
for (const [from, to, units] of lengths) unitsOf.fill(units, from, to + 1)

class Cursor {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  u8(): number {
    return this.bytes.readUInt8(this.at++)
  }

  uleb(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
}

/** `const-string` instructions of all methods, and strings among the static values of all classes. */
export function stringUses(bytes: Buffer): { constStrings: StringUse[]; staticValues: StringUse[] } {
  const classes = bytes.readUInt32LE(96)
  const table = bytes.readUInt32LE(100)
  const constStrings: StringUse[] = []
  const staticValues: StringUse[] = []
  for (let row = 0; row < classes; row++) {
    const data = bytes.readUInt32LE(table + row * 32 + 24)
    const values = bytes.readUInt32LE(table + row * 32 + 28)
    if (data !== 0)
      for (const code of codesOf(new Cursor(bytes, data))) constStringsOf(bytes, code, constStrings)
    if (values !== 0) encodedArray(new Cursor(bytes, values), staticValues)
  }
  return { constStrings, staticValues }
}

function* codesOf(data: Cursor): Generator<number> {
  const [statics, instances, directs, virtuals] = [data.uleb(), data.uleb(), data.uleb(), data.uleb()]
  for (let field = 0; field < statics + instances; field++) {
    data.uleb()
    data.uleb()
  }
  for (let method = 0; method < directs + virtuals; method++) {
    data.uleb()
    data.uleb()
    const code = data.uleb()
    if (code !== 0) yield code
  }
}

function constStringsOf(bytes: Buffer, code: number, found: StringUse[]): void {
  const first = code + 16
  const end = first + bytes.readUInt32LE(code + 12) * 2
  for (let at = first; at < end; ) {
    const unit = bytes.readUInt16LE(at)
    if (unit === 0x0100) at += (bytes.readUInt16LE(at + 2) * 2 + 4) * 2
    else if (unit === 0x0200) at += (bytes.readUInt16LE(at + 2) * 4 + 2) * 2
    else if (unit === 0x0300)
      at += (((bytes.readUInt16LE(at + 2) * bytes.readUInt32LE(at + 4) + 1) >>> 1) + 4) * 2
    else {
      const opcode = unit & 0xff
      if (opcode === 0x1a) found.push({ at: at + 2, width: 2 })
      else if (opcode === 0x1b) found.push({ at: at + 2, width: 4 })
      at += (unitsOf[opcode] ?? 1) * 2
    }
  }
}

function encodedArray(cursor: Cursor, found: StringUse[]): void {
  for (let left = cursor.uleb(); left > 0; left--) encodedValue(cursor, found)
}

function encodedValue(cursor: Cursor, found: StringUse[]): void {
  const header = cursor.u8()
  const type = header & 0x1f
  const width = (header >>> 5) + 1
  if (type === 0x1c) encodedArray(cursor, found)
  else if (type === 0x1d) {
    cursor.uleb()
    for (let left = cursor.uleb(); left > 0; left--) {
      cursor.uleb()
      encodedValue(cursor, found)
    }
  } else if (type < 0x1e) {
    if (type === 0x17) found.push({ at: cursor.at, width })
    cursor.at += width
  }
}
