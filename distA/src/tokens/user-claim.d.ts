/**
 * The paths in a token's claims that hold exactly this userId. With a claim named by the configuration, that one
 * only: a literal name, or a JSONPath when it begins with `$`.
 */
export declare function pathsHolding(claims: Readonly<Record<string, unknown>>, userId: string, claim: string): string[];
