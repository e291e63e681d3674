import { distance } from 'fastest-levenshtein'

/** Up to three of the known names, the least edits away first; upper and lower case count as one. */
export function findNearestNames(wanted: string, known: readonly string[]): string {
  return known
    .map((name) => ({ name, edits: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits)
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
}
