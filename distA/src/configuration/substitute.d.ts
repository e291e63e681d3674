import type { Problem } from './problem.ts';
export interface Substituted {
    readonly value: unknown;
    /** Paths whose value came, whole or in part, from the environment: it must not be shown. */
    readonly fromEnvironment: ReadonlyMap<string, string>;
    readonly problems: readonly Problem[];
}
/**
 * Replaces `${NAME}` in every value, never in a key, and `$${` by a literal `${`. What a variable holds is not looked
 * through again. A value that cannot be replaced stays as it was written, so that the rest can still be checked.
 */
export declare function substitute(written: unknown, environment: NodeJS.ProcessEnv): Substituted;
