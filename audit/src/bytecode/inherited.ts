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
  return [...classesAbove(owner, parentsOf)].slice(1).map((one) => keyOf({ owner: one, name, descriptor }))
}

/** Lists a class, the classes that it extends, and its interfaces. */
export function* classesAbove<T>(owner: T, parentsOf: (owner: T) => readonly T[]): Generator<T> {
  const classes = [owner]
  for (let at = 0; at < classes.length && at <= deepestParent; at++) {
    const one = classes[at] as T
    yield one
    classes.push(...parentsOf(one))
  }
}

/** Says whether a class is made to be called through what it extends or implements, as a lambda is. */
export function isFunction(parents: readonly string[], methods: number): boolean {
  return methods <= mostOfFunction && parents.some((one) => one !== 'java/lang/Object')
}

const mostOfFunction = 8

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
  for (const one of classesAbove(owner, parentsOf)) {
    const method = methodIn(one, keyOf({ owner: one, name, descriptor }))
    if (method !== undefined) return method
  }
  return undefined
}
