import { z } from 'zod';
declare const providerState: z.ZodObject<{
    name: z.ZodString;
    params: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
}, z.core.$loose>;
declare const interaction: z.ZodObject<{
    type: z.ZodDefault<z.ZodString>;
    description: z.ZodString;
    pending: z.ZodDefault<z.ZodBoolean>;
    providerStates: z.ZodDefault<z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        params: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    }, z.core.$loose>>>;
    providerState: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    comments: z.ZodOptional<z.ZodObject<{
        references: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    }, z.core.$loose>>;
    request: z.ZodOptional<z.ZodObject<{
        method: z.ZodString;
        path: z.ZodDefault<z.ZodString>;
    }, z.core.$loose>>;
    response: z.ZodOptional<z.ZodObject<{
        status: z.ZodDefault<z.ZodNumber>;
    }, z.core.$loose>>;
}, z.core.$loose>;
export type PactInteraction = z.infer<typeof interaction>;
export type PactState = z.infer<typeof providerState>;
export interface PactFile {
    /** Where it came from, for a sentence. */
    readonly source: string;
    readonly consumer: string;
    readonly provider: string;
    readonly interactions: readonly PactInteraction[];
    /** The whole file, keys that are unknown here included. */
    readonly content: Readonly<Record<string, unknown>>;
    /** Where the broker takes the verdict on it. */
    readonly publishUrl?: string;
    /** The broker says that its consumer's main branch has never been verified: a failure of it does not count. */
    readonly pending?: boolean;
}
/**
 * Reads one pact of version 2 to 4.
 * @throws TwotokenError `usage` where it is no pact, or holds something else than HTTP interactions
 */
export declare function parsePact(text: string, source: string): PactFile;
export {};
