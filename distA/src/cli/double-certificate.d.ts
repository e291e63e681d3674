import type { Configuration } from '../configuration/configuration.ts';
import { type ServerCertificate } from '../tls/certificates.ts';
/** The backend under test has to trust the double's authority, so its file is named before anything is asked. */
export declare function certificateOfDouble({ backend }: Configuration, out: string, stderr: {
    write(text: string): unknown;
}): Promise<{
    doubleCertificate?: ServerCertificate;
}>;
