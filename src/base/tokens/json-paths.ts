export interface PathAndValue {
  /** A normalised JSONPath (RFC 9535, section 2.7). */
  readonly path: string
  readonly value: unknown
}

/** More than any token or answer needs; a peer may send deeper. */
const deepest = 64

/** Every leaf of a JSON value with its path, in document order. */
export function jsonPaths(value: unknown, path = '$', depth = 0): PathAndValue[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [{ path, value }]
  if (depth >= deepest) return []
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [`[${index}]`, item])
    : Object.entries(value).map(([name, item]) => [`['${escaped(name)}']`, item])
  return entries.flatMap(([step, item]) => jsonPaths(item, path + step, depth + 1))
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
}
