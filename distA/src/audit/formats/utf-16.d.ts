/** A text in UTF-16 with a byte order mark, as UTF-8; `null` for anything else. */
export declare function fromUtf16(bytes: Buffer): Buffer | null;
