import type { Clock } from '../clock/clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { HttpClient } from '../http/client.ts';
/** What a probe works with. */
export interface Probing {
    readonly configuration: Configuration;
    readonly http: HttpClient;
    readonly clock: Clock;
}
