import type { Audit } from '../settings.ts';
/** A file that should not ship, whatever it holds. */
export declare function exposed(audit: Audit, location: string, format: string, what: string): void;
