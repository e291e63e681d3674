import type { Configuration } from '../../configuration/configuration.ts'
import type { Log } from '../../roles/flow/logs.ts'

/** The state of one part that the suite has brought up. */
export interface PartReport {
  readonly part: string
  /** Image of a part in a container. */
  readonly image?: string
  /** "running", "exited with code 1", … */
  readonly state: string
  /** Its output, as it was. */
  readonly log: string
}

/** An implementation that the suite has brought up; disposing of it takes it down. */
export interface ProvisionedStack extends AsyncDisposable {
  readonly configuration: Configuration
  look(): Promise<readonly PartReport[]>
  /** Starts every part again; resolves with whether all of them answer. Absent where the addresses would change. */
  restart?(): Promise<boolean>
  /** The output of every part so far, as it is: only to be searched. */
  readLogs(): Promise<readonly Log[]>
}
