/** What a label of the redactor stands for. */
export type CredentialKind = 'session' | 'calling-jwt' | 'api-key' | 'forged-jwt' | 'jwt' | 'secret';
/** A secret that was seen, as the redactor shows it. */
export interface Credential {
    readonly kind: CredentialKind;
    /** The same within a run for the same secret; null where only the fact is known. */
    readonly fingerprint: string | null;
}
/** How a kind is called, and the letter that tells it apart where colours do not. */
export declare const credentialNames: Readonly<Record<CredentialKind, {
    name: string;
    letter: string;
}>>;
/** Every secret that a redacted text speaks of, each once. */
export declare function credentialsIn(text: string): Credential[];
/** Replaces every label in a text that is already markup. */
export declare function withLabels(text: string, replace: (shown: string, kind: CredentialKind) => string): string;
