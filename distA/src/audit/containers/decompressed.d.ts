/** What came out of a compressed file, and why no more did. */
export interface Decompressed {
    readonly bytes: Buffer | null;
    readonly end: 'whole' | 'corrupt' | 'limit';
}
