/** Tells a calling JWT from others. */
export interface JwtJudge {
    judge(jwt: string): 'calling' | 'expired' | 'other' | null;
}
/** What the tokens of one mint have in common. */
export interface TokenModel {
    readonly format: 'JWS' | 'JWE';
    readonly algorithm: unknown;
    readonly type: unknown;
    /** `undefined` where the claims cannot be read. */
    readonly issuer: unknown;
    readonly audience: unknown;
    /** Names of the claims; `null` where they cannot be read. */
    readonly claims: readonly string[] | null;
}
/** What a token shows of the others of its mint; `null` where the text is no token. */
export declare function modelOf(jwt: string): TokenModel | null;
/** What a run observed of the mint's tokens; `null` where it saw none. */
export declare function observedModel(observations: Readonly<Record<string, unknown>>): TokenModel | null;
/** @param like what the mint's tokens look like: what resembles one is a calling JWT, and nothing else is. */
export declare function createJwtJudge(like: readonly TokenModel[], nowSeconds: () => number): JwtJudge;
