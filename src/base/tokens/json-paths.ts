import { query } from 'jsonpath-rfc9535'

export interface PathAndValue {
  /** A normalised JSONPath (RFC 9535, section 2.7). */
  readonly path: string
  readonly value: unknown
}

/** More than any token or answer needs; a peer may send deeper, and longer names. */
const deepest = 64
const longestPath = 1024

interface Place extends PathAndValue {
  readonly depth: number
}

/** Every leaf of a JSON value with its path, in document order; none that is deeper, or that has a longer path, than bounded. */
export function jsonPaths(value: unknown): PathAndValue[] {
  const leaves: PathAndValue[] = []
  const left: Place[] = [{ path: '$', value, depth: 0 }]
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (typeof place.value !== 'object' || place.value === null) {
      if (place.value !== undefined) leaves.push({ path: place.path, value: place.value })
    } else if (place.depth < deepest) for (const one of inside(place.value, place).reverse()) left.push(one)
  }
  return leaves
}

function inside(value: object, { path, depth }: Place): Place[] {
  const places: Place[] = []
  const room = longestPath - path.length
  for (const [name, item] of Object.entries(value)) {
    if (name.length > room) continue
    const step = Array.isArray(value) ? `[${name}]` : `['${escaped(name)}']`
    if (step.length <= room) places.push({ path: path + step, value: item, depth: depth + 1 })
  }
  return places
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
}

/** The values at a JSONPath; none where there is no JSON. */
export function valuesAt(json: unknown, path: string): unknown[] {
  return json === undefined ? [] : (query(json as never, path) as unknown[])
}

/** The first text at a JSONPath; null where there is none, or an empty one. */
export function textAt(json: unknown, path: string): string | null {
  const text = valuesAt(json, path).find((value) => typeof value === 'string')
  return typeof text === 'string' && text !== '' ? text : null
}
