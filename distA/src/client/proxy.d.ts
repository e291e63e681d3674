import { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type SecureContext } from 'node:tls';
import type { CertificateAuthority } from '../tls/certificates.ts';
/** Where a client's traffic ends up: whoever starts the proxy decides what becomes of it. */
export interface Counterpart {
    /** A connection is on its way, whatever will come of it. */
    connecting(): void;
    /** `url` is the absolute address that was asked for. */
    request(url: URL, request: IncomingMessage, response: ServerResponse): void;
    /** `url` has the scheme ws or wss. */
    upgrade(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void;
}
interface StartedProxy extends AsyncDisposable {
    /** As a browser is told: `http://127.0.0.1:<port>`. */
    readonly address: string;
}
/** Certificates for the hosts that are asked for, each made once. The authority stands in the chain, for pinning. */
export type Identities = (host: string) => SecureContext;
export declare function identitiesOf(authority: CertificateAuthority): Identities;
/**
 * An HTTP proxy that answers everything itself, TLS and WebSockets included. No library's: what a double has to do with
 * an upgrade (a status, silence, a reset, a close much later) is decided per connection while it runs.
 */
export declare function startProxy(identities: Identities, counterpart: Counterpart): Promise<StartedProxy>;
export {};
