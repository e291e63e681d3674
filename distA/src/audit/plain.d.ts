import type { Audit } from './settings.ts';
/**
 * Whether nothing is left to be looked at after one search of the bytes: no place was found, no table of a format tells
 * more than the bytes do, and they contain nothing that would have to be opened. Most files of an app are of this kind.
 */
export declare function isPlain(audit: Audit, name: string, bytes: Buffer): boolean;
