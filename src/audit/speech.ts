import { words } from './words.ts'

/** Pairs of letters that more than one word has: other European languages use much the same ones. */
const usual = usualPairs()
const usualShare = 0.7

function usualPairs(): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const word of words) for (const pair of pairsOf(word)) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > 1).map(([pair]) => pair))
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
}

/** Runs of letters as they are written in camel case, capitals or small letters. */
function letterPieces(text: string): string[] {
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
  // Letters of both cases fall into short words by chance: then some of them have to be known.
  if (mean < 4 || (isMixed && mean < 6 && wordCover(text) < 0.4)) return false
  return isSpeech(pieces)
}

/** Whether pieces of letters sound like words: vowels, few rare letters, usual pairs. */
export function isSpeech(pieces: readonly string[]): boolean {
  const letters = pieces.join('')
  const vowels = shareOf(letters, /[aeiouy]/gi)
  if (vowels < 0.3 || vowels > 0.6 || shareOf(letters, /[jkqvwxz]/gi) > 0.15) return false
  if (pieces.some((piece) => /[^aeiouy]{6}|[aeiouy]{4}|q[^u]/i.test(piece))) return false
  const pairs = pieces.flatMap((piece) => pairsOf(piece.toLowerCase()))
  return pairs.filter((pair) => usual.has(pair)).length >= usualShare * pairs.length
}

function shareOf(text: string, chars: RegExp): number {
  return (text.match(chars)?.length ?? 0) / text.length
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
