import english from './english-words.json' with { type: 'json' }
import own from './own-words.json' with { type: 'json' }
import { technicalWords } from './technical-words.ts'

/** Words that evidence shows. */
export interface Vocabulary {
  /** Says whether it is a name of the run: of the configuration, or something that the suite has sent. */
  isName(run: string): boolean
  /** Says whether a run of letters and digits is a word, or a name that is made of words. */
  isKnown(run: string): boolean
}

const listed: ReadonlySet<string> = new Set(
  [...english.words, technicalWords, ...own.words]
    .flatMap((list) => list.split(/\s+/))
    .filter(({ length }) => length > 1),
)

/** A name has no more words, and a run that is longer is no name. */
const longestName = 60
/** Letters before a number; a shorter word with a number may be anything. */
const longEnough = 5
/** `HTTPServerError2` is HTTP, Server, Error and a number. A word in another mixture of capitals is no word: it may tell something. */
const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Words of the lists, and further names that a run knows, letter by letter as they are written. */
export function createVocabulary(names: ReadonlySet<string> = new Set()): Vocabulary {
  return {
    isName: (run) => names.has(run),
    isKnown: (run) => names.has(run) || (run.length <= longestName && isWord(run)),
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
