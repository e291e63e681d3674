import type { Reply } from '../../src/http/client.ts';
/** An answer, or that there was none, for the sentence that says what was seen. */
export declare function described(reply: Reply): string;
/** What clause 4.2 asks of a failure: an answer with a status other than 2xx. */
export declare function isFailure(reply: Reply): boolean;
