import type { z } from 'zod';
/** Adds a problem whose message is the whole sentence after the path, not what was expected. */
export declare function complain(context: z.core.$RefinementCtx<unknown>, path: (string | number)[], sentence: string): void;
