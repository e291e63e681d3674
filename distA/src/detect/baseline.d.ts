import type { MessageSign } from '../configuration/configuration.ts';
import type { Prober, Trace } from './prober.ts';
import type { Pace } from './search.ts';
/** What a service does with a client that offers nothing: everything else is compared with it. */
export interface Baseline {
    readonly traces: readonly Trace[];
    /** How it ends; null where such a client is left alone. */
    readonly end: Trace['end'];
    /** How long an attempt has to be watched until what becomes of it can be seen. */
    readonly windowMs: number;
    /** Sent to everybody who connects. */
    readonly greeting: MessageSign | null;
    /** What has to be offered for the service to speak at all. */
    readonly subprotocols: readonly string[];
}
export declare function baselineOf(url: string, prober: Prober, { baselineMs, silenceMs }: Pace): Promise<Baseline>;
