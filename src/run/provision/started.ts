import type { Configuration } from '../../configuration/configuration.ts'

/** How things stand with one part that the suite has brought up. */
export interface PartReport {
  readonly part: string
  /** Where it runs in a container. */
  readonly image?: string
  /** "running", "ended with exit code 1", … */
  readonly state: string
  /** What happened to it since it was ready, with the seconds since then. */
  readonly events: readonly string[]
  /** What it has printed; what was known beforehand is redacted. */
  readonly log: string
}

/** An implementation that the suite has brought up, and takes down. */
export interface Started extends AsyncDisposable {
  /** What it is judged by: the given one, with the addresses at which the parts are reached. */
  readonly configuration: Configuration
  look(): Promise<readonly PartReport[]>
}
