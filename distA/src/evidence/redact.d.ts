/** What a secret is, for the reader of a report. */
export type SecretKind = 'api-key' | 'session' | 'calling-jwt' | 'forged-jwt' | 'secret';
/**
 * The one place that hides secrets. Text that it has passed shows no more of a secret than its kind, its length and
 * a fingerprint that is keyed per run, so that the same token can be recognised in two places and nowhere else.
 */
export interface Redactor {
    /** Makes a secret known as soon as it appears; returns it. Strings under six characters hide nothing. */
    register(kind: SecretKind, secret: string): string;
    text(text: string): string;
    /** The name under which a secret is shown. */
    label(secret: string): string;
    /** Every secret that was registered since the last call, for the last scan in another process. */
    drain(): Registered[];
}
export interface Registered {
    readonly kind: SecretKind;
    readonly secret: string;
}
export declare function createRedactor(fingerprintKey?: Buffer): Redactor;
