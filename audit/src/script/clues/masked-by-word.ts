/** `text.charCodeAt(i) ^ word.charCodeAt(i % word.length)`: each character under one of a word that begins again. */
export const wordAsMask = /(?:charCode|codePoint)At\([^()]{1,24}%[^()]{1,40}\)/

const near = 60
/** The prefix and the shortest random part, in base64; the longest is the one of a key, in hexadecimal. */
const encoded = /^(?:(?:[0-9a-fA-F]{2}){24,128}|[A-Za-z0-9+/_-]{32,176}={0,2})$/
const encodedLiteral = /["'`](?:[0-9a-fA-F]{48,256}|[A-Za-z0-9+/_-]{32,176}={0,2})["'`]/

/** Says whether a script masks texts by a word, and has an encoded text that may be a key. */
export function hidesByWord(script: string): boolean {
  const match = wordAsMask.exec(script)
  if (match === null) return false
  const end = match.index + match[0].length
  return (
    script.slice(Math.max(0, match.index - near), end + near).includes('^') && encodedLiteral.test(script)
  )
}

/** Says whether a literal may be a key that is masked and then encoded: random characters, as many as a key has then. */
export function mayBeMasked(text: string): boolean {
  return encoded.test(text) && /\d/.test(text) && /[a-z]/i.test(text)
}
