import type { Piece } from './join-pieces.ts'

/** Bytes before the first object, in older versions and since 3.7. */
const [shortHeader, header] = [12, 16]
const sinceLongHeader = 3390
/** Numbers of the versions from which on code has arguments that are only positional, and names that are qualified. */
const [sincePositional, sinceQualified] = [3410, 3450]
const [hasFlag, withoutFlag] = [0x80, 0x7f]
const [deepest, mostObjects] = [64, 200_000]

/** Compiled Python of version 3.4 and later begins with the number of the version and the end of a line. */
export function isCompiledPython(bytes: Buffer): boolean {
  return bytes.length > header && bytes[2] === 0x0d && bytes[3] === 0x0a && bytes.readUInt16LE(0) >= 3300
}

type Value = Piece | number | readonly Value[] | null

/**
 * The constants of each function in the order of their use. Those of a list count as well, and a list of numbers may be a text.
 * A list whose texts are more together, one behind the other or with a separator, is one text.
 * @throws RangeError where it does not parse
 */
export function* constantsOfPython(
  bytes: Buffer,
  isTelling: (text: string) => boolean = () => false,
): Generator<Piece[]> {
  const functions: (readonly Value[])[] = []
  createReader(bytes, (constants) => functions.push(constants))()
  // Lists may be in several others: what they have together can be far more than the file has.
  let room = mostObjects
  for (const constants of functions) {
    const pieces: Piece[] = []
    for (const value of constants) {
      const values = isList(value) ? [...piecesOf(value, isTelling), numbersIn(value)] : [value]
      room -= values.length
      if (room < 0) return
      for (const one of values) if (isPiece(one)) pieces.push(one)
    }
    yield pieces
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function isPiece(value: Value): value is Piece {
  return value !== null && typeof value === 'object' && !isList(value)
}

function piecesOf(values: readonly Value[], isTelling: (text: string) => boolean): readonly Value[] {
  const pieces = values.filter(isPiece)
  const [first] = pieces
  if (first === undefined || pieces.length < 2 || pieces.length < values.length) return values
  for (const separator of ['', '_', '-']) {
    const text = pieces.map((piece) => piece.text).join(separator)
    if (text.length <= longestJoined && isTelling(text)) return [{ text, offset: first.offset }]
  }
  return values
}

const longestJoined = 4096

function numbersIn(values: readonly Value[]): Piece | null {
  const isText =
    values.length > 1 && values.every((code) => typeof code === 'number' && code >= 0x20 && code < 0x7f)
  return isText ? { text: values.map((code) => String.fromCharCode(Number(code))).join(''), offset: 0 } : null
}

/** Reads one object after the other. */
function createReader(bytes: Buffer, tell: (constants: readonly Value[]) => void): () => Value {
  const version = bytes.readUInt16LE(0)
  const known: Value[] = []
  let at = version < sinceLongHeader ? shortHeader : header
  let [depth, count] = [0, 0]
  const u32 = () => {
    at += 4
    return bytes.readUInt32LE(at - 4)
  }
  const text = (length: number): Piece => {
    if (length > bytes.length - at) throw new RangeError('a text is cut off')
    at += length
    return { text: bytes.toString('latin1', at - length, at), offset: at - length }
  }
  const list = (length: number): Value[] => {
    if (length > bytes.length - at) throw new RangeError('a list is cut off')
    return Array.from({ length }, read)
  }
  const code = (): null => {
    // Numbers, the instructions, the constants, six names or lists of them, the first line, and tables.
    at += version >= sinceQualified || version < sincePositional ? 20 : 24
    read()
    const constants = read()
    for (let names = 0; names < 6; names++) read()
    at += 4
    read()
    if (version >= sinceQualified) read()
    tell(Array.isArray(constants) ? constants : [])
    return null
  }
  const objectOf = (type: string): Value => {
    switch (type) {
      case 'z':
      case 'Z':
        return text(bytes.readUInt8(at++))
      case 's':
      case 't':
      case 'u':
      case 'a':
      case 'A':
        return text(u32())
      case ')':
        return list(bytes.readUInt8(at++))
      case '(':
      case '[':
      case '<':
      case '>':
        return list(u32())
      case 'i':
        return u32()
      case 'g':
        at += 8
        return null
      case 'y':
        at += 16
        return null
      case 'l':
        at += 4
        at += 2 * Math.abs(bytes.readInt32LE(at - 4))
        return null
      case 'r':
        return known[u32()] ?? null
      case 'c':
        return code()
      case 'N':
      case 'T':
      case 'F':
      case '.':
      case 'S':
      case '0':
        return null
      default:
        throw new RangeError('an object is of no known type')
    }
  }
  function read(): Value {
    const byte = bytes.readUInt8(at++)
    depth += 1
    count += 1
    if (depth > deepest || count > mostObjects) throw new RangeError('the objects are too many')
    const place = (byte & hasFlag) === 0 ? -1 : known.push(null) - 1
    const value = objectOf(String.fromCharCode(byte & withoutFlag))
    if (place !== -1) known[place] = value
    depth -= 1
    return value
  }
  return read
}
