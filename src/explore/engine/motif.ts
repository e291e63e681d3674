/** A story that is told before those that chance makes up. `docs/motifs.md` says which incidents it is drawn from. */
export interface Motif<Step> {
  /** The fault that it looks for. */
  readonly name: string
  readonly steps: readonly Step[]
}

export function motif<Step>(name: string, steps: readonly Step[]): Motif<Step> {
  return { name, steps }
}
