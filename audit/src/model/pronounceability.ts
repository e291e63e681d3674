import { speechBits } from './letter-pairs.ts'
import { words } from './words.ts'

/** Bits that are surely words. Hardly one in ten thousand random keys of 24 letters has as many. */
const surely = 5

/** Runs of letters as they are written in camel case, capitals or small letters. */
export function letterPieces(text: string): string[] {
  return text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
}

/** Words in any language, with few numbers between them: long pieces of one case, built as speech is. */
export function isSpelled(text: string): boolean {
  if (/[0-9a-f]{16}|[0-9A-F]{16}/.test(text) && /\d/.test(text)) return false
  const pieces = letterPieces(text)
  const letters = pieces.join('')
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text)
  const numbers = text.match(/\d+/g)?.length ?? 0
  if (letters.length < 8 || numbers > (isMixed || /[_-]/.test(text) ? 3 : 1)) return false
  if (numbers > 0 && !isMixed && !/[_-]/.test(text) && wordCover(text) < 0.3) return false
  const mean = letters.length / pieces.length
  // Letters of both cases fall into short words by chance, where numbers part them: then some have to be known.
  if (numbers > 0 && (mean < 4 || (isMixed && mean < 6 && wordCover(text) < 0.4))) return false
  return isPronounceable(text)
}

/** Says whether letters sound like words. */
export function isPronounceable(text: string): boolean {
  return speechBits(text) >= surely
}

/** The share of the letters and digits that words of three letters and more account for. */
export function wordCover(text: string): number {
  const pieces = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const covered = pieces.reduce((sum, piece) => sum + longestWords(piece.toLowerCase()), 0)
  return total === 0 ? 0 : covered / total
}

function longestWords(piece: string): number {
  let covered = 0
  for (let at = 0; at < piece.length; ) {
    let taken = 0
    for (let length = Math.min(14, piece.length - at); length >= 3; length--)
      if (words.has(piece.slice(at, at + length))) {
        taken = length
        break
      }
    covered += taken
    at += Math.max(1, taken)
  }
  return covered
}
