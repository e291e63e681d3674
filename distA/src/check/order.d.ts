import type { AnyCheck } from './check.ts';
/** Those that wait for expiry begin first, then those that need the mint double to themselves. */
export declare function byPhase<C extends {
    readonly phase?: AnyCheck['phase'];
}>(checks: readonly C[]): C[];
