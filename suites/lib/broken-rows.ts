import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'

/** One broken variant for each row, made alike. */
export function rows<Row>(table: Readonly<Record<string, Row>>, make: (row: Row) => Catch): BrokenVariants {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [name, make(row)]))
}

/** One row for each of these, which has the place of the asterisk in the name of the row. */
export function each<const Key extends string | number>(
  name: string,
  keys: readonly Key[],
  make: (key: Key) => Catch,
): BrokenVariants {
  return Object.fromEntries(keys.map((key) => [name.replace('*', String(key)), make(key)]))
}

export function all(common: Catch, rows: BrokenVariants): BrokenVariants {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, ...common }]))
}

export const warning = (rows: BrokenVariants) => all({ as: 'warn' }, rows)

/** One broken variant for each policy, by the part whose policy it is. */
function ofPart<Part extends 'mint' | 'signaling'>(part: Part) {
  return (policies: Readonly<Record<string, NonNullable<Catch[Part]>>>): BrokenVariants =>
    rows(policies, (policy) => ({ [part]: policy }))
}

export const ofMint = ofPart('mint')
export const ofSignaling = ofPart('signaling')
