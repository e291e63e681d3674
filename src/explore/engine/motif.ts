/** A planned story. Exploration tells it before random ones; `docs/motifs.md` cites the incidents behind it. */
export interface Motif<Step> {
  /** The fault that it looks for. */
  readonly name: string
  readonly steps: readonly Step[]
  /** True for motifs that disturb stories beside them: they come first, one at a time. */
  readonly isAlone?: true
}

export function motif<Step>(name: string, steps: readonly Step[]): Motif<Step> {
  return { name, steps }
}

export function motifAlone<Step>(name: string, steps: readonly Step[]): Motif<Step> {
  return { name, steps, isAlone: true }
}

export function repeat<Step>(step: Step, times: number): Step[] {
  return Array.from({ length: times }, () => step)
}
