import type { Audit } from '../settings.ts';
interface Script {
    readonly location: string;
    readonly format: string;
    readonly bytes: Buffer;
    readonly isCertain?: boolean;
}
/** JavaScript in a file of its own or inside HTML, and the source maps inside it. */
export declare function auditScripts(audit: Audit, { location, format, bytes, isCertain }: Script): Promise<void>;
export {};
