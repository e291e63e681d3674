/** Time as the engine sees it, so that tests can hold another clock. */
export interface Clock {
    /** Monotonic milliseconds: the only clock that intervals are measured on. */
    monotonic(): number;
    /** Milliseconds since 1970 by this machine's wall clock. */
    wall(): number;
    /** Resolves once `monotonic()` has reached the instant, at once when it has passed. */
    until(instant: number, signal?: AbortSignal): Promise<void>;
}
export declare const systemClock: Clock;
