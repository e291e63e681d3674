import { type KeyObject } from 'node:crypto';
/** A throwaway authority: its key exists in this process only. */
export interface CertificateAuthority {
    /** Its own certificate, PEM: what a client has to trust. */
    readonly certificate: string;
    issue(wanted: WantedCertificate): ServerCertificate;
    /** A certificate (PEM) for somebody else's public key. */
    certify(publicKey: KeyObject, wanted: WantedCertificate): string;
}
export interface WantedCertificate {
    /** DNS names and IP addresses. */
    readonly names: readonly string[];
    /** A day either side of now where absent. */
    readonly validFrom?: Date;
    readonly validTo?: Date;
}
/** PEM, as `node:tls` takes it. */
export interface ServerCertificate {
    readonly cert: string;
    readonly key: string;
}
/** Makes an authority with a new key on P-256, valid from a day ago for 30 days. */
export declare function createAuthority(commonName?: string): CertificateAuthority;
/** A certificate of an authority of its own, for a server whose clients are handed `ca`. */
export declare function createServerCertificate(wanted: WantedCertificate): ServerCertificate & {
    readonly ca: string;
};
