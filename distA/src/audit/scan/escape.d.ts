/** Tells whether an escape of one of the prefix's characters stands at an offset. */
export type IsEscape = (bytes: Buffer, offset: number) => boolean;
/** Percent, `\x`, `\u`, octal and entity escapes, in any case. */
export declare function escapeOf(prefix: string): IsEscape;
