import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
/** A page may call its backend, and whatever else a double stands for, from another origin. */
export declare function allowFrom({ headers }: IncomingMessage): OutgoingHttpHeaders;
export declare function isPreflight({ method, headers }: IncomingMessage): boolean;
