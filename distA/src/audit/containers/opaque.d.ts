/** What a file is that nothing here can open, by its mark; `null` for any other. */
export declare function opaqueKind(name: string, bytes: Buffer): string | null;
/** Whether such a file can begin with a byte, unless its mark is elsewhere. */
export declare function startsOpaque(first: number): boolean;
/** An ISO image has its mark after the boot sectors. */
export declare function isDiscImage(bytes: Buffer): boolean;
/** A disk image has its mark at the beginning of its last block. */
export declare function isDiskImage(bytes: Buffer): boolean;
/** Contents that somebody has encrypted. */
export declare function isEncrypted(bytes: Buffer): boolean;
