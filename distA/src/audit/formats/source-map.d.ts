import type { Audit } from '../settings.ts';
/** Audits each source inside a map under its own name. @returns whether the bytes are a source map. */
export declare function auditSourceMap(audit: Audit, location: string, bytes: Buffer): Promise<boolean>;
