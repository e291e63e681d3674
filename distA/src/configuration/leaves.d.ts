import { z } from 'zod';
export declare function text(expected?: string, test?: (value: string) => boolean): z.ZodString;
export declare function pattern(expected: string, regex: RegExp): z.ZodString;
export declare function integer(expected: string, from: number, to: number): z.ZodPreprocess<z.ZodNumber, unknown>;
export declare const positiveSeconds: z.ZodPreprocess<z.ZodNumber, unknown>;
export declare const seconds: z.ZodPreprocess<z.ZodNumber, unknown>;
export declare const positiveMs: z.ZodPreprocess<z.ZodNumber, unknown>;
export declare const milliseconds: z.ZodPreprocess<z.ZodNumber, unknown>;
export declare const flag: z.ZodPreprocess<z.ZodBoolean, unknown>;
/** A credential once it is known: it has to fit into a header, which no control character does. */
export declare const credential: z.ZodString;
export declare const credentialForms = "text, ${NAME} or { command: \u2026 }";
/** A credential as it is written. */
export declare const writtenCredential: z.ZodUnion<readonly [z.ZodString, z.ZodObject<{
    command: z.ZodString;
}, z.core.$strict>]>;
export declare const httpUrl: z.ZodString;
export declare const wsUrl: z.ZodString;
export declare const jsonPath: z.ZodString;
export declare function isJsonPath(value: string): boolean;
/** A name that may stand as a header, a cookie or a subprotocol (RFC 9110, token). */
export declare const token: z.ZodString;
/** No character that would break a header: below the space (a tab is legal) or the delete character. */
export declare function isPrintable(value: string): boolean;
/** `host:port`, the host in brackets where it is an IPv6 address; `undefined` where it is neither. */
export declare function parseListen(value: string): {
    readonly host: string;
    readonly port: number;
} | undefined;
/** A host, or a host and a port, and nothing else of a URL. */
export declare function isHost(value: string): boolean;
