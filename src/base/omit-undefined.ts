/** The members of an object that have a value. */
type Defined<T> = {
  [name in keyof T as undefined extends T[name] ? never : name]: T[name]
} & {
  [name in keyof T as undefined extends T[name] ? name : never]?: Exclude<T[name], undefined>
}

/** Leaves out members without a value, where the reader of an object counts them or refuses `undefined`. */
export function omitUndefined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}
