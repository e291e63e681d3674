import { keyOf, memberOf } from './value.ts'

/** More of them are in no program that puts a key together. */
const deepestParent = 8

/** Finds a method in its class, in those that the class extends, or in its interfaces. */
export function inherited<T>(
  key: string,
  methodIn: (owner: string, key: string) => T | undefined,
  parentsOf: (owner: string) => readonly string[],
): T | undefined {
  const { owner, name, descriptor } = memberOf(key)
  const names = [owner]
  for (let at = 0; at < names.length && at < deepestParent; at++) {
    const one = names[at] ?? ''
    const method = methodIn(one, keyOf({ owner: one, name, descriptor }))
    if (method !== undefined) return method
    names.push(...parentsOf(one))
  }
  return undefined
}
