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
  /** Pairs of commands that stories took, and that never followed each other. */
  readonly unreachedPairs: readonly string[]
}

export interface CoverageCounter {
  /** Counts the commands of a story that was told. */
  note(story: readonly string[]): void
  read(): Coverage
  /** True where every command has followed every other, and itself. */
  isComplete(): boolean
}

/** @param commands - all that chance can draw; what only motifs take is not counted */
export function countCoverage(commands: readonly string[]): CoverageCounter {
  const [taken, pairs, triples] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return {
    note(story) {
      const drawn = story.filter((command) => commands.includes(command))
      for (const [place, command] of drawn.entries()) {
        taken.add(command)
        if (place >= 1) pairs.add(drawn.slice(place - 1, place + 1).join())
        if (place >= 2) triples.add(drawn.slice(place - 2, place + 1).join())
      }
    },
    read: () => ({
      commands: commands.length,
      taken: taken.size,
      pairs: pairs.size,
      triples: triples.size,
      unreached: commands.filter((command) => !taken.has(command)),
      unreachedPairs: [...taken].flatMap((first) =>
        [...taken].filter((next) => !pairs.has([first, next].join())).map((next) => `${first} → ${next}`),
      ),
    }),
    isComplete: () => pairs.size >= commands.length ** 2,
  }
}

/** More pairs than these are counted alone: early in a search most have not been reached. */
const mostNamed = 5

/** The coverage as a clause. */
export function describeCoverage({
  commands,
  taken,
  pairs,
  triples,
  unreached,
  unreachedPairs,
}: Coverage): string {
  const named = unreachedPairs.length > mostNamed ? unreached : [...unreached, ...unreachedPairs]
  const never = named.length === 0 ? '' : `; never: ${named.join(', ')}`
  return `${taken} of ${commands} commands, ${pairs} of ${commands ** 2} pairs and ${triples} of ${commands ** 3} triples${never}`
}
