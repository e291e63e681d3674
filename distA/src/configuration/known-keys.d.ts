import { z } from 'zod';
import type { KeyPath } from './path.ts';
/** Every key that the schema knows at a path, over all alternatives that may stand there. */
export declare function knownKeys(schema: z.core.$ZodType, path: KeyPath): string[];
/** The known key that is the least edits away, upper and lower case counted as one. */
export declare function nearest(key: string, known: readonly string[]): {
    key: string;
    edits: number;
} | undefined;
