/** A planned story. Exploration tells it before random ones; `docs/motifs.md` cites the incidents behind it. */
export interface Motif<Step> {
  /** The fault that it looks for. */
  readonly name: string
  readonly steps: readonly Step[]
}

export function motif<Step>(name: string, steps: readonly Step[]): Motif<Step> {
  return { name, steps }
}

export function repeat<Step>(step: Step, times: number): Step[] {
  return Array.from({ length: times }, () => step)
}
