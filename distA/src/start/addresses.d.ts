import type { Configuration } from '../configuration/configuration.ts';
export interface Address {
    readonly key: string;
    readonly url: string;
}
/** Where the parts of a configuration are reached. */
export declare function addressesOf({ mint, backend, signaling }: Configuration): Address[];
/** The addresses at which nobody answers, each with the reason. */
export declare function silentOnes(addresses: readonly Address[]): Promise<string[]>;
/** Waits until all answer, the time is over or `isOver` says that it is of no use; returns those that do not. */
export declare function untilAllAnswer(addresses: readonly Address[], { seconds, isOver, signal }: {
    seconds: number;
    isOver: () => boolean;
    signal: AbortSignal;
}): Promise<string[]>;
