import type { z } from 'zod';
import type { Problem } from './problem.ts';
export interface Checked {
    readonly schema: z.core.$ZodType;
    readonly value: unknown;
    readonly fromEnvironment: ReadonlyMap<string, string>;
}
/** What zod found wrong, as sentences: what was seen, what was expected, what to do. */
export declare function explain(error: z.ZodError, checked: Checked): Problem[];
