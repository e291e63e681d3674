import { z } from 'zod';
import type { AuditResult } from './finding.ts';
declare const schema: z.ZodObject<{
    findings: z.ZodArray<z.ZodObject<{
        fingerprint: z.ZodString;
        rule: z.ZodExactOptional<z.ZodString>;
        reason: z.ZodString;
        expires: z.ZodISODate;
    }, z.core.$strict>>;
}, z.core.$strict>;
export type Baseline = z.infer<typeof schema>;
/** @throws TwotokenError `configuration` where the text is no baseline */
export declare function parseBaseline(text: string): Baseline;
/** Leaves out what is known and accepted until the day in `expires`, and says which entries are stale. */
export declare function applyBaseline(result: AuditResult, baseline: Baseline, today: string): {
    result: AuditResult;
    stale: string[];
};
export {};
