const fewestCharacters = 16
const fewestLetters = 8
/** Letters without a digit are a name of some program more often than a credential. */
const fewestWithoutDigits = 24

/**
 * Says whether a text that a peer chose is random enough to be a credential. Such a text appears nowhere else
 * by chance. Words, names of fields, ids and repetitions are not random enough.
 */
export function isRandomEnough(text: string): boolean {
  if (text.length < fewestCharacters || /\s/.test(text)) return false
  if (new Set(text).size < fewestLetters) return false
  if (/\d/.test(text)) return /[A-Za-z]/.test(text) || text.length >= fewestWithoutDigits
  return text.length >= fewestWithoutDigits && !/[^A-Za-z]/.test(text)
}

/** One word or two, the id of a requirement, or a number: sentences of the suite and the structure of a result have such. */
const word = /^(?:[A-Za-z]{1,16}(?:[-_. ][A-Za-z]{1,16})?|[A-Za-z]{1,16}-\d{1,4}|\d{1,8})$/

/** Says whether the suite's own texts may contain a secret by chance. */
export function isWord(secret: string): boolean {
  return word.test(secret)
}
