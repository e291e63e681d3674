/** Draws a value: the same numbers give the same one. */
export type Draw<T> = (random: () => number) => T

export function always<const T>(value: T): Draw<T> {
  return () => value
}

/** Each is as likely as the others; one that is named twice is twice as likely. */
export function oneOf<const T>(values: readonly T[]): Draw<T> {
  if (values.length === 0) throw new Error('there is nothing to draw from')
  return (random) => values[Math.floor(random() * values.length)] as T
}

/** One of several draws. */
export function anyOf<T>(draws: readonly Draw<T>[]): Draw<T> {
  const which = oneOf(draws)
  return (random) => which(random)(random)
}

/** A whole number, both ends included. */
export function between(least: number, most: number): Draw<number> {
  return (random) => least + Math.floor(random() * (most - least + 1))
}

export function listOf<T>(draw: Draw<T>, least: number, most: number): Draw<T[]> {
  const count = between(least, most)
  return (random) => Array.from({ length: count(random) }, () => draw(random))
}

/** An object whose members are drawn in their order. */
export function record<Draws extends Readonly<Record<string, Draw<unknown>>>>(
  draws: Draws,
): Draw<Drawn<Draws>> {
  const entries = Object.entries(draws)
  return (random) => Object.fromEntries(entries.map(([name, draw]) => [name, draw(random)])) as Drawn<Draws>
}

type Drawn<Draws> = { [Name in keyof Draws]: Draws[Name] extends Draw<infer T> ? T : never }
