import type { Finding } from '../../src/audit/finding.ts';
/** What an audit would find of server keys in a text, or of calls of the mint in a script; only what it is sure of. */
export declare function leaksIn(text: string, location: string, mintHost?: string): Promise<readonly Finding[]>;
export declare function keysIn(text: string, location: string): Promise<readonly Finding[]>;
