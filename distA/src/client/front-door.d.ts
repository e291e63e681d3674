import { type CertificateAuthority } from '../tls/certificates.ts';
import type { Counterpart } from './proxy.ts';
/** The doubles at addresses of their own, for clients that are told where to go instead of being led there. */
export interface FrontDoor extends AsyncDisposable {
    readonly backendUrl: string;
    readonly signalingUrl: string;
    /** What a client has to trust; null without TLS. */
    readonly caFile: string | null;
    /** The same as variables for a program, with what common runtimes read of an authority. */
    readonly environment: Readonly<Record<string, string>>;
}
export interface FrontDoorOptions {
    readonly counterpart: Counterpart;
    readonly tls: boolean;
    readonly host?: string;
    /** 0: any free port. */
    readonly port?: number;
    /** The same for every opening, where a device has to trust it; one of its own where absent. */
    readonly authority?: CertificateAuthority;
}
export declare const frontPaths: {
    readonly backend: '/calling/token';
    readonly signaling: '/signaling';
};
/** @throws ControlLost where the address cannot be had */
export declare function openFrontDoor({ counterpart, tls, host, port, authority: given, }: FrontDoorOptions): Promise<FrontDoor>;
