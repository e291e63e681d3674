/** The same secret has the same fingerprint in every place and run, so that a baseline keeps working. */
export declare function fingerprintOf(secret: string): string;
/** All that is ever shown of a secret: its prefix and its length. */
export declare function shownAs(prefix: string, length: number): string;
