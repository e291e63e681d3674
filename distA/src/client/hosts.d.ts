import type { Configuration } from '../configuration/configuration.ts';
import type { HostKind } from '../parts/client.ts';
/** Whose a host is: the customer's own, the mint's, or somebody else's. */
export interface Hosts {
    kindOf(url: URL): HostKind;
    /** The customer's token route, which the backend double answers. */
    isTokenRoute(url: URL): boolean;
    /** The address that the configuration gives for signaling. */
    isSignaling(url: URL): boolean;
    /** Whether the mint's host is known at all. */
    readonly knowsMint: boolean;
}
export interface Routes {
    readonly backend: string;
    readonly signaling: string;
}
/** `routes` are globs of a client that is told where the doubles are. */
export declare function hostsOf({ client, backend, signaling, mint, bundle }: Configuration, routes: Routes | null): Hosts;
