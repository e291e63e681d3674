/** Where the calling token was found in the mint's body. */
export type Located = {
    readonly kind: 'found';
    readonly token: string;
    readonly at: string;
} | {
    readonly kind: 'ambiguous';
    readonly candidates: readonly string[];
} | {
    readonly kind: 'missing';
};
/**
 * Finds the token as clause 4.1 describes it: at `token`, else at `jwt`, else the whole body, else the only string
 * that reads as a JWS or JWE. A place that holds such a string wins over one that holds any other string, since the
 * name of the field is not specified; a plain string at `token` or `jwt` is taken only when there is nothing better.
 */
export declare function locateToken(body: {
    readonly text: string;
    readonly json: unknown;
}, field: string): Located;
