/** The length in UTF-16 units, the text in MUTF-8, and a zero. */
export declare function stringItem(bytes: Buffer, at: number): Buffer;
/** Writes all string data anew at the end of the file, and the map, the checksum and the signature after it. */
export declare function rewritten(body: Buffer, items: readonly Buffer[], table: number): Buffer;
