import type { Probe } from '../parts/client.ts';
/** Wakes whoever waits for something to have happened, and ends every wait once the client is lost. */
export interface Bell {
    ring(): void;
    /** From now on every wait rejects with this. The first reason counts. */
    lose(reason: Error): void;
    /** Why the client is lost; null while it is not. */
    lost(): Error | null;
    /** What the probe gives once it gives anything; null at the deadline. */
    wait<T>(probe: Probe<T>, milliseconds: number): Promise<T | null>;
}
export declare function createBell(): Bell;
