import { pay } from '../../../model/effort.ts'
import type { ScanContext } from '../../../scan/scan-context.ts'
import type { FormatFile } from '../../audited-format.ts'
import { joinPieces, longestWordIn, type Piece, separators } from '../../join-pieces.ts'
import { reportJoined } from '../../report-joined.ts'
import { widened } from '../../wide-characters.ts'
import { createLengthsInArm64 } from '../arm64.ts'
import { addressOf, type Image, offsetOf, type Texts } from '../image.ts'
import { apart } from '../referenced-strings.ts'
import { createLengths, isOfGo } from '../x64.ts'
import { pagesIn, piecesInArm64 } from './arm64-pieces.ts'
import type { TextAt, Used } from './memory.ts'
import { endOfText, piecesInTables } from './tables.ts'
import { piecesInX64 } from './x64-pieces.ts'

/** Reports the keys that the code of a program puts together from texts and numbers beside each other. */
export async function readPieces(
  audit: ScanContext,
  file: FormatFile,
  imagesOf: (bytes: Buffer) => readonly Image[],
): Promise<void> {
  const { bytes } = file
  const { effort, prefix, leastSuffix } = audit
  if (!mayHavePieces(bytes, prefix)) return
  const made: Piece[] = []
  try {
    for (const image of imagesOrNone(bytes, imagesOf)) {
      pay(effort, bytes.length)
      const texts = textsIn(bytes, image, prefix)
      for (const pieces of piecesInTables(bytes, image, texts)) {
        pay(effort, pieces.length * stepsOfPiece)
        made.push(...joinPieces(pieces, prefix, leastSuffix))
      }
      made.push(...inCode(audit, bytes, image, texts))
    }
  } finally {
    await reportJoined(
      audit,
      file,
      made.filter(({ text }) => !isEndOfOther(text, made, prefix)),
    )
  }
}

/** A file whose headers do not parse is reported by the reader of its strings. */
function imagesOrNone(bytes: Buffer, imagesOf: (bytes: Buffer) => readonly Image[]): readonly Image[] {
  try {
    return imagesOf(bytes).map((image) => ({ ...image, segments: apart(image.segments, bytes.length) }))
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Code that is read from its middle on stores only the end of a text. */
function isEndOfOther(text: string, made: readonly Piece[], prefix: string): boolean {
  const rest = text.slice(prefix.length)
  return made.some((other) => other.text.length > text.length && other.text.endsWith(rest))
}

/** The beginning of the prefix is in the program, or its longest word beside what could put the words together. */
function mayHavePieces(bytes: Buffer, prefix: string): boolean {
  if (beginningsIn(bytes, prefix).length > 0 || movesOfArm64(prefix).some((move) => bytes.includes(move)))
    return true
  const words = placesOf(bytes, longestWordIn(prefix))
  if (words.length === 0) return false
  const first = prefix.split(separators)[0] ?? ''
  const isAlone = (at: number) => bytes[at - 1] === 0
  const areOfC =
    words.some(isAlone) && [`${first}\0`, `${first}_\0`].some((text) => placesOf(bytes, text).some(isAlone))
  // Go packs its words without an end.
  return areOfC || bytes.includes(`${first}_%`) || isOfGo(bytes)
}

/**
 * Says whether a part of a program too large to be read whole may have pieces, whatever its other parts have. Windows begin
 * at whole instructions.
 */
export function mayHidePieces(bytes: Buffer, prefix: string): boolean {
  const first = prefix.split(separators)[0] ?? ''
  const isAlone = (at: number) => bytes[at - 1] === 0
  const low = (prefix.charCodeAt(0) & 7) << 5
  const isMove = (at: number) => (at - 1) % 4 === 0 && ((bytes[at - 1] ?? 0) & 0xe0) === low
  return (
    beginningsIn(bytes, prefix).length > 0 ||
    movesOfArm64(prefix).some((move) => placesOf(bytes, move).some(isMove)) ||
    [`${first}\0`, `${first}_\0`].some((text) => placesOf(bytes, text).some(isAlone)) ||
    bytes.includes(`${first}_%`) ||
    bytes.includes(widened(prefix)) ||
    isOfGo(bytes)
  )
}

/** Upper bytes of instructions that load the first two characters, of 32 bits or 64. */
function movesOfArm64(prefix: string): Buffer[] {
  const number = prefix.charCodeAt(0) | (prefix.charCodeAt(1) << 8)
  return [0x52, 0xd2].map((move) => Buffer.from([(number >> 3) & 0xff, (number >> 11) | 0x80, move]))
}

/** Places where a text begins like the prefix, and does not go on as another word. */
function beginningsIn(bytes: Buffer, prefix: string): number[] {
  return placesOf(bytes, prefix.slice(0, leastBeginning)).filter((at) => {
    let alike = leastBeginning
    while (alike < prefix.length && bytes[at + alike] === prefix.charCodeAt(alike)) alike += 1
    const next = bytes[at + alike] ?? 0
    return alike >= sureBeginning || next < 0x61 || next > 0x7a
  })
}

/** More characters than other words have by chance. */
const sureBeginning = 6
const leastBeginning = 4

/** Addresses of texts that may be pieces: beginnings of the prefix that no other text has by chance, and its longest word. */
function textsIn(bytes: Buffer, image: Image, prefix: string): Texts {
  const words = placesOf(bytes, longestWordIn(prefix))
  const withMark = words.filter((place) => prefix.includes(bytes.toString('latin1', place - 1, place + 1)))
  const places = [...beginningsIn(bytes, prefix), ...words, ...withMark.map((place) => place - 1)]
  const addresses = new Set(
    places.map((place) => addressOf(image, place)).filter((address) => !Number.isNaN(address)),
  )
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const address of addresses) {
    low = Math.min(low, address)
    high = Math.max(high, address)
  }
  return { has: (address) => address >= low && address <= high && addresses.has(address) }
}

function inCode(
  { effort, prefix, leastSuffix }: ScanContext,
  bytes: Buffer,
  image: Image,
  texts: Texts,
): Piece[] {
  const made: Piece[] = []
  const machine = image.machine === null ? null : machines[image.machine]
  if (machine === null) return made
  const textAt = createTextAt(bytes, image, machine.lengths(bytes, image))
  let [read, count] = [0, 0]
  for (const place of machine.places(bytes, image, texts, prefix)) {
    if (place < read) continue
    if (++count > mostCodePlaces) break
    pay(effort, stepsOfPlace)
    const used = inOrder(machine.pieces(bytes, image, place, textAt))
    read = place + reach
    made.push(...joinPieces(used, prefix, leastSuffix))
    // A text that code refers to is found in its place.
    for (const piece of used) if (piece.isStored && piece.text.includes(prefix)) made.push(piece)
  }
  return made
}

/** Bytes of code behind a place that are not read again. */
const reach = 160
const stepsOfPlace = 20_000
const stepsOfPiece = 500
const mostPlaces = 4096
/** A word of the prefix that more code than this refers to is a word of the program. */
const mostCodePlaces = 512

const machines = {
  'x86-64': { places: placesInX64, pieces: piecesInX64, lengths: createLengths },
  arm64: { places: placesInArm64, pieces: piecesInArm64, lengths: createLengthsInArm64 },
}

/** In the order of the code. The length of a text is a guess: one ends where another begins, unless it is the end of it. */
function inOrder(used: readonly Used[]): Used[] {
  const ends = new Map(
    used.filter(({ isStored }) => !isStored).map(({ offset, text }) => [offset, offset + text.length]),
  )
  const cut = used.map((one) => {
    if (one.isStored) return one
    const end = one.offset + one.text.length
    const next = [...ends].find(([start, last]) => start > one.offset && start < end && last !== end)?.[0]
    return next === undefined ? one : { ...one, text: one.text.slice(0, next - one.offset) }
  })
  return cut.sort((one, other) => one.at - other.at)
}

function placesOf(bytes: Buffer, needle: string | Buffer): number[] {
  const places: number[] = []
  for (
    let at = bytes.indexOf(needle);
    at !== -1 && places.length < mostPlaces;
    at = bytes.indexOf(needle, at + 1)
  )
    places.push(at)
  return places
}

/** Instructions that refer to one of the texts, or that hold the beginning of the prefix as a number. */
function* placesInX64(bytes: Buffer, image: Image, texts: Texts, prefix: string): Generator<number> {
  const first = prefix.charCodeAt(0)
  for (const { start, end, address } of image.segments) {
    const last = Math.min(end, bytes.length) - 4
    for (let at = start + 3; at < last; at++) {
      const byte = bytes[at - 1] ?? 0
      if ((byte & 0xc7) === 0x05) {
        const target = address + (at + 4 - start) + bytes.readInt32LE(at)
        if (texts.has(target)) yield beginningOf(bytes, at - 2)
      } else if ((byte & 0xf8) === 0xb8 && texts.has(bytes.readUInt32LE(at))) yield at - 1
      if (
        bytes[at] === first &&
        bytes.toString('latin1', at, at + leastBeginning) === prefix.slice(0, leastBeginning)
      ) {
        const store = storeBefore(bytes, at)
        if (store !== -1) yield store
      }
    }
  }
}

/** Instructions of `adrp` that lead to one of the texts, and moves of the beginning of the prefix as a number. */
function* placesInArm64(bytes: Buffer, image: Image, texts: Texts, prefix: string): Generator<number> {
  const number = prefix.charCodeAt(0) | (prefix.charCodeAt(1) << 8)
  for (const { start, end, address } of image.segments) {
    const last = Math.min(end, bytes.length) - 4
    for (let at = Math.ceil(start / 4) * 4; at <= last; at += 4) {
      const word = bytes.readUInt32LE(at)
      if ((word & 0x5fffffe0) >>> 0 === ((0x52800000 | (number << 5)) & 0x5fffffe0) >>> 0) yield at
      if ((word & 0x9f000000) >>> 0 !== 0x90000000) continue
      const from = Math.floor((address + at - start) / page) * page + pagesIn(word) * page
      for (let place = at + 4; place <= Math.min(last, at + 48); place += 4) {
        const next = bytes.readUInt32LE(place)
        if (((next >>> 5) & 31) !== (word & 31)) continue
        if (texts.has(from + distanceIn(next))) yield at
      }
    }
  }
}

const page = 4096

/** The distance that `add` or a load adds to an address. */
function distanceIn(word: number): number {
  const isLoad = (word & 0x3b000000) >>> 0 === 0x39000000
  const isQuad = isLoad && ((word >>> 26) & 1) === 1 && ((word >>> 23) & 1) === 1
  const size = isQuad ? 16 : isLoad ? 1 << (word >>> 30) : 1
  return ((word >>> 10) & 0xfff) * size
}

/** The instruction of an opcode: with the prefixes before it. */
function beginningOf(bytes: Buffer, opcode: number): number {
  let at = bytes[opcode - 1] === 0x0f ? opcode - 1 : opcode
  if (((bytes[at - 1] ?? 0) & 0xf0) === 0x40) at -= 1
  return [0x66, 0xf2, 0xf3].includes(bytes[at - 1] ?? 0) ? at - 1 : at
}

/** The instruction that loads the number at a place, or stores it; -1 where none does. */
function storeBefore(bytes: Buffer, at: number): number {
  const [rex = 0, opcode = 0] = [bytes[at - 2], bytes[at - 1]]
  if ((opcode & 0xf8) === 0xb8) return (rex & 0xf0) === 0x40 ? at - 2 : at - 1
  for (let distance = 2; distance <= 7; distance++)
    if (bytes[at - distance] === 0xc7) return beginningOf(bytes, at - distance)
  return -1
}

const longestText = 512

function createTextAt(bytes: Buffer, image: Image, lengthOf: (at: number) => number): TextAt {
  const textOf = (start: number, length: number) => {
    const end = length > 0 ? start + length : endOfText(bytes, start, longestText)
    if (start < 1 || end === -1 || end - start > longestText || end > bytes.length) return ''
    const text = bytes.toString('latin1', start, end)
    return /^[\x20-\x7e]+$/.test(text) ? text : ''
  }
  return (start, at) => {
    const length = lengthOf(at)
    // Behind a number that is no length, the text may still end with a zero.
    const text = textOf(start, length) || (length > 0 ? textOf(start, 0) : '')
    // An interface of Go has the address of a text's address and length.
    return text !== '' || !image.isWide || start + 16 > bytes.length
      ? text
      : textOf(offsetOf(image, bytes.readUIntLE(start, 6)), bytes.readUInt16LE(start + 8))
  }
}
