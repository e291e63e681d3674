import type { Answer } from '../http/client.ts';
/** Whether a person was meant to read the answer. The content type alone says little: PHP calls its JSON HTML. */
export declare function isWebPage({ body }: Answer): boolean;
/** The words with which servers answer plain HTTP on a port of TLS. */
export declare function wantsTls({ status, body }: Answer): boolean;
