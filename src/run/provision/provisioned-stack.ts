import type { Configuration } from '../../configuration/configuration.ts'
import type { StartedPart } from '../../reports/results.ts'
import type { AddressedPart } from './wait-for-addresses.ts'

export interface HowToStart {
  readonly readyTimeoutSeconds: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly contacted: readonly AddressedPart[] | undefined
}

export interface PartReport extends Omit<StartedPart, 'log'> {
  /** Its output so far, unmasked: hide it before it is shown. */
  readonly printed: string
}

/** An implementation that the suite has brought up; disposing of it takes it down. */
export interface ProvisionedStack extends AsyncDisposable {
  readonly configuration: Configuration
  look(): Promise<readonly PartReport[]>
  /** Starts every part again; resolves with whether all of them answer. Absent where the addresses would change. */
  restart?(): Promise<boolean>
}
