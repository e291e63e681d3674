const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** About how many values a text of JSON has: nearly each has a mark of its own, outside of strings. */
export function valuesInJson(json: string): number {
  let count = 1
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === comma || code === bracket || code === brace) count += 1
    else if (code === quote) at = stringEnd(json, at + 1)
  }
  return count
}

function stringEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  return json.length
}
