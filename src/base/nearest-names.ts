/** Up to so many of the known names, the least edits away first; upper and lower case count as one. */
export function findNearestNames(wanted: string, known: readonly string[], most = 3): string {
  return known
    .map((name) => ({ name, edits: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits)
    .slice(0, most)
    .map(({ name }) => name)
    .join(', ')
}

/** The fewest insertions, deletions and replacements of a character that make one name of the other (Levenshtein). */
export function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1]
    for (let place = 1; place <= other.length; place += 1) {
      const replaced = (above[place - 1] ?? 0) + (character === other[place - 1] ? 0 : 1)
      current.push(Math.min(replaced, (above[place] ?? 0) + 1, (current[place - 1] ?? 0) + 1))
    }
    above = current
  }
  return above.at(-1) ?? 0
}
