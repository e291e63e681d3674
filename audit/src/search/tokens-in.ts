const leastHeader = 8
const mostParts = 5

/** Gives each run of a text that reads like a JWS or a JWE: two dots at least, and a first part that begins or ends one. */
export function* tokensIn(value: string): Generator<string> {
  for (const [run] of value.matchAll(/[A-Za-z0-9_.-]{11,}/g)) {
    const parts = run.split('.')
    for (let at = 0; at + 2 < parts.length; at++) {
      const first = parts[at] ?? ''
      const start = first.search(/e[wy]/)
      if (start === -1 || first.length - start < leastHeader || parts[at + 1] === '') continue
      const rest = parts.slice(at + 1, at + mostParts)
      yield [first.slice(start), ...rest].join('.')
      at += rest.length
    }
  }
}
