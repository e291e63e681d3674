/** Deeper than anything that a reader looks at; a peer may send deeper. */
const deepest = 64

/** How the texts in a value are cleaned. */
export interface Cleaning {
  value(text: string): string
  /** Cleans the names of fields in objects; where absent, the names stay as they are. */
  name?(text: string): string
}

/**
 * Cleans a value that a peer may have made, text by text, so that no syntax around a secret hides it. The result is plain
 * JSON of bounded depth, whatever the value is: nothing that writes it can fail.
 */
export function redactValues<T>(value: T, { value: clean, name = (text) => text }: Cleaning): T {
  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return clean(item)
    if (typeof item === 'bigint') return String(item)
    if (typeof item === 'function' || typeof item === 'symbol') return undefined
    if (typeof item !== 'object' || item === null) return item
    if (depth === deepest) return '… (nested deeper)'
    if (Array.isArray(item)) return item.map((one) => walk(one, depth + 1))
    const nameOnce = createNames()
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [nameOnce(name(key)), walk(one, depth + 1)]),
    )
  }
  return walk(value, 0) as T
}

/** Numbers the fields of one object whose names are the same once they are cleaned: none of them may be lost. */
function createNames() {
  const counts = new Map<string, number>()
  return (name: string): string => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }
}

/** The paths of the texts that a value has, and that what became of it has no more. */
export function listChanged(before: unknown, after: unknown, place = ''): string[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return typeof before === 'string' && before !== after ? [place] : []
  const [names, values] = [Object.keys(after), Object.values(after)]
  return Object.entries(before).flatMap(([key, one], index) => {
    const name = names[index] ?? key
    const path = Array.isArray(before) ? `${place}[${index}]` : place === '' ? name : `${place}.${name}`
    return [...(name === key ? [] : [place]), ...listChanged(one, values[index], path)]
  })
}
