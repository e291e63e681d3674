import english from './english-words.json' with { type: 'json' }
import own from './own-words.json' with { type: 'json' }
import technical from './technical-words.json' with { type: 'json' }

/** Says whether a run of letters and digits is a word, or a name that is made of words. */
export type IsWord = (run: string) => boolean

const listed: ReadonlySet<string> = new Set(
  [english, technical, own]
    .flatMap(({ words }) => words)
    .flatMap((line) => line.split(' '))
    .filter(({ length }) => length > 1),
)

/** A name has no more words, and a run that is longer is no name. */
const longestName = 60
/** Letters before a number; a shorter word with a number may be anything. */
const longEnough = 5
/** `HTTPServerError2` is HTTP, Server, Error and a number. A word in another mixture of capitals is no word: it may tell something. */
const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
/** Names and words come again and again. */
const mostRemembered = 20_000

export function createWords(): IsWord {
  const known = new Map<string, boolean>()
  return (run) => {
    const answer = known.get(run) ?? (listed.has(run) || (run.length <= longestName && isWord(run)))
    if (known.size < mostRemembered) known.set(run, answer)
    return answer
  }
}

function isWord(run: string): boolean {
  const found = run.match(parts) ?? []
  if (found.join('') !== run) return false
  const lower = run.toLowerCase()
  const isListed = listed.has(lower)
  if (isListed && (run === lower || run === run.toUpperCase())) return true
  return found.every((part, index) => {
    if (/\d/.test(part))
      return (
        isListed || (index === found.length - 1 && part.length <= 3 && run.length - part.length >= longEnough)
      )
    return isListed ? part.length > 1 || index === 0 : part.length > 1 && listed.has(part.toLowerCase())
  })
}
