import { keyOf, memberOf } from './value.ts'

/** More of them are in no program that puts a key together. */
const deepestParent = 8

/**
 * Lists the keys of a method by which code calls it on what its class extends or implements. What the initialiser of an
 * enum makes is got by `valueOf`.
 */
export function keysAbove(key: string, parentsOf: (owner: string) => readonly string[]): string[] {
  const { owner, name, descriptor } = memberOf(key)
  if (name === '<clinit>') return [keyOf({ owner, name: 'valueOf', descriptor: descriptorOfValueOf(owner) })]
  const names = [owner]
  for (let at = 0; at < names.length && at < deepestParent; at++) names.push(...parentsOf(names[at] ?? ''))
  return names.slice(1).map((one) => keyOf({ owner: one, name, descriptor }))
}

export function descriptorOfValueOf(owner: string): string {
  return `(Ljava/lang/String;)L${owner};`
}

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
