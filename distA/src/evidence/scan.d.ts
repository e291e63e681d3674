import type { Redactor } from './redact.ts';
/**
 * The last look at an artefact before it is written: nothing in it may be a secret that the redactor knows or
 * recognises, in plain text or encoded.
 * @throws TwotokenError `secret-in-output`, which names the artefact and shows nothing of the secret
 */
export declare function assertNoSecret(name: string, text: string, redactor: Redactor): void;
