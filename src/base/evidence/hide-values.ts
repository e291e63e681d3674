/** Deeper than anything that a reader looks at; a peer may send deeper. */
const deepest = 64

/** Hides each text of a value, names of fields included. The result is plain JSON of bounded depth, whatever the value is. */
export function hideValues<T>(value: T, hide: (text: string) => string): T {
  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return hide(item)
    if (typeof item === 'bigint') return String(item)
    if (typeof item === 'function' || typeof item === 'symbol') return undefined
    if (typeof item !== 'object' || item === null) return item
    if (depth === deepest) return '… (nested deeper)'
    if (Array.isArray(item)) return item.map((one) => walk(one, depth + 1))
    const nameOnce = createNames()
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [nameOnce(hide(key)), walk(one, depth + 1)]),
    )
  }
  return walk(value, 0) as T
}

/** Numbers the fields of one object whose names are the same once they are hidden: none of them may be lost. */
function createNames() {
  const counts = new Map<string, number>()
  return (name: string): string => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }
}
