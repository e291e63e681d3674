/** Says whether a place of a text is within braces that are open there, as in `mutation{callingToken{token}}`. */
export function isInBraces(text: string, place: number): boolean {
  const before = text.slice(0, place)
  return before.split('{').length > before.split('}').length
}
