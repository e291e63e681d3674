import type { Piece } from '../../join-pieces.ts'
import { type Image, offsetOf, type Texts } from '../image.ts'

/** Bytes from one address to the next: addresses alone, addresses with lengths, and entries of the loader's table. */
const [alone, withLength, ofLoader] = [8, 16, 24]
const mostEntries = 128
/** Entries before the one that is found, of which a key may be put together. */
const mostBefore = 5
const longestText = 64

/** The texts of each table in the data of a program that has one of the texts in it, in order. */
export function* piecesInTables(bytes: Buffer, image: Image, texts: Texts): Generator<Piece[]> {
  if (!image.isWide || !image.isLittle) return
  for (const { start, end } of image.segments) {
    const last = Math.min(end, bytes.length) - 8
    for (let at = Math.ceil(start / 8) * 8; at <= last; at += 8) {
      if (!texts.has(addressAt(bytes, at))) continue
      for (const stride of [alone, withLength, ofLoader]) {
        const pieces = piecesFrom(bytes, image, at, stride)
        if (pieces.length > 1) yield pieces
      }
    }
  }
}

/** Zero where it is none. */
function addressAt(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.length) return 0
  const high = bytes.readUInt32LE(at + 4)
  return high < 0x1_0000 ? high * 2 ** 32 + bytes.readUInt32LE(at) : 0
}

function piecesFrom(bytes: Buffer, image: Image, first: number, stride: number): Piece[] {
  const pieceAt = (at: number): Piece | null => {
    const offset = at < 0 ? -1 : offsetOf(image, addressAt(bytes, at))
    const text = offset < 1 ? '' : textAt(bytes, offset, lengthOf(bytes, image, at, stride))
    return text === '' ? null : { text, offset }
  }
  const pieces: Piece[] = []
  // Variables with lengths are in an order of the compiler's.
  for (let at = first - stride; stride === withLength && pieces.length < mostBefore; at -= stride) {
    const piece = pieceAt(at)
    if (piece === null) break
    pieces.unshift(piece)
  }
  for (let at = first; pieces.length < mostEntries; at += stride) {
    const piece = pieceAt(at)
    if (piece === null) break
    pieces.push(piece)
  }
  return pieces
}

/** -1 where a zero ends the text. */
function lengthOf(bytes: Buffer, image: Image, at: number, stride: number): number {
  if (stride === withLength) return bytes.length < at + 16 ? 0 : bytes.readUInt32LE(at + 8)
  if (stride === alone || at < 16) return -1
  const place = bytes.readUIntLE(at - 16, 6)
  const [next, known] = [at + 8 + 6 > bytes.length ? 0 : bytes.readUIntLE(at + 8, 6), offsetOf(image, place)]
  if (next - place === alone || known === -1 || known + 12 > bytes.length) return -1
  const length = bytes.readUInt32LE(known + 8)
  return length > 0 && length <= longestText ? length : -1
}

function textAt(bytes: Buffer, start: number, length: number): string {
  if (length > longestText) return ''
  const end = length === -1 ? endOfText(bytes, start, longestText) : start + length
  if (end === -1 || end - start > longestText || end > bytes.length) return ''
  const text = bytes.toString('latin1', start, end)
  return /^[\x20-\x7e]+$/.test(text) ? text : ''
}

/** Where the zero behind a text is; -1 where the text is longer. */
export function endOfText(bytes: Buffer, start: number, longest: number): number {
  const length = bytes.subarray(start, start + longest + 1).indexOf(0)
  return length === -1 ? -1 : start + length
}
