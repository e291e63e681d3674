import type { Clock } from '../../base/clock.ts'
import type { HttpClient } from '../../base/http/client.ts'
import type { Configuration } from '../../configuration/configuration.ts'

/** What a probe works with. */
export interface Probing {
  readonly configuration: Configuration
  readonly http: HttpClient
  readonly clock: Clock
}
