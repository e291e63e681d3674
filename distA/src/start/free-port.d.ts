/**
 * A port that was free a moment ago, for a server that is started later. It lies below the range from which the system
 * gives out ports, so that no connection takes it meanwhile.
 */
export declare function freePort(host: string): Promise<number>;
