/** Reads numbers of a native binary in its own byte order and width. */
export interface Fields {
    u32(at: number): number;
    /** An address or a size: 64 bits where the file is of that width. */
    word(at: number): number;
}
export declare function fieldsOf(bytes: Buffer, isLittle: boolean, isWide: boolean): Fields;
