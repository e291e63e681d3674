/** Which commands stories took, and which followed each other. */
export interface Coverage {
  /** Commands that a story can have. */
  readonly commands: number
  readonly taken: number
  /** Different pairs of commands that followed each other in a story. */
  readonly pairs: number
  readonly triples: number
  /** Commands that no story took. */
  readonly unreached: readonly string[]
}

export interface CoverageCounter {
  /** Counts the commands of a story that was told. */
  note(story: readonly string[]): void
  read(): Coverage
}

/** @param commands - all that a story can have */
export function countCoverage(commands: readonly string[]): CoverageCounter {
  const [taken, pairs, triples] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return {
    note(story) {
      for (const [place, command] of story.entries()) {
        taken.add(command)
        if (place >= 1) pairs.add(story.slice(place - 1, place + 1).join())
        if (place >= 2) triples.add(story.slice(place - 2, place + 1).join())
      }
    },
    read: () => ({
      commands: new Set([...commands, ...taken]).size,
      taken: taken.size,
      pairs: pairs.size,
      triples: triples.size,
      unreached: commands.filter((command) => !taken.has(command)),
    }),
  }
}

/** The coverage as a clause. */
export function describeCoverage({ commands, taken, pairs, triples, unreached }: Coverage): string {
  const never = unreached.length === 0 ? '' : `; never: ${unreached.join(', ')}`
  return `${taken} of ${commands} commands, ${pairs} of ${commands ** 2} pairs and ${triples} of ${commands ** 3} triples${never}`
}
