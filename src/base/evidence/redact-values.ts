import type { Redactor } from './redact.ts'

/** A value without its secrets, and where it held some: the paths of the values and of the keys. */
export interface Cleaned<T> {
  readonly value: T
  readonly places: readonly string[]
}

/** Redacts data value by value and key by key, so that no syntax around a secret hides it. */
export function redactValues<T>(value: T, redact: Redactor['text']): Cleaned<T> {
  const places: string[] = []
  /** Names and values of headers come in every exchange. */
  const known = new Map<string, string>()
  const clean = (text: string, place: string): string => {
    const shown = known.get(text) ?? redact(text)
    known.set(text, shown)
    if (shown !== text) places.push(place)
    return shown
  }
  const walk = (item: unknown, place: string): unknown => {
    if (typeof item === 'string') return clean(item, place)
    if (Array.isArray(item)) return item.map((one, index) => walk(one, `${place}[${index}]`))
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => {
        const name = clean(key, place)
        return [name, walk(one, place === '' ? name : `${place}.${name}`)]
      }),
    )
  }
  return { value: walk(value, '') as T, places }
}
