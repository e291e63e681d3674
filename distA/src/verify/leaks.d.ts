import type { Answer } from '../http/client.ts';
/**
 * Where an answer holds a server key, plain or encoded: Pact allows extra fields and never looks into them.
 * @returns "a header", "the body" or "a claim of the token"
 */
export declare function keysIn(answer: Answer, keys: readonly string[]): string[];
