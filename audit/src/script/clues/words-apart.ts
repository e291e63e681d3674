import { literally } from './spelling.ts'

const between = `[^"'\`\\n]{1,60}`
const farthest = 80
const edge = /["'`\n]/
/** The random part of a key. */
const random = /(?<![A-Za-z0-9])(?=[A-Za-z]{0,64}\d)(?=\d{0,64}[A-Za-z])[A-Za-z0-9]{14,64}(?![A-Za-z0-9])/

/** The words of a prefix apart from each other in one text, such as an address or a list that the script takes apart. */
export interface WordsApart {
  readonly sign: RegExp
  /** The word that is looked for first. */
  readonly longest: string
  /** Says whether a text with the words has a random part beside them. */
  isIn(script: string): boolean
}

/** `null` for a prefix of a single word, and for one of many short ones. */
export function wordsApartOf(prefix: string): WordsApart | null {
  const words = prefix.split(/[^a-z0-9]/i).filter((word) => word !== '')
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  if (words.length < 2 || words.length > 3 || longest.length < 4) return null
  const alone = words.map((word) => `(?<![A-Za-z0-9])${literally(word)}(?![A-Za-z0-9])`)
  const sign = new RegExp(
    `(?!${literally(prefix)})(?:${[alone, alone.toReversed()].map((some) => some.join(between)).join('|')})`,
  )
  const every = new RegExp(sign.source, 'g')
  return {
    sign,
    longest,
    isIn(script) {
      for (const { index, 0: found } of script.matchAll(every)) {
        const before =
          script
            .slice(Math.max(0, index - farthest), index)
            .split(edge)
            .at(-1) ?? ''
        const end = index + found.length
        const behind = script.slice(end, end + farthest).split(edge, 1)[0] ?? ''
        if (random.test(before) || random.test(found) || random.test(behind)) return true
      }
      return false
    },
  }
}
