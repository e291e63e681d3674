export interface ZipContent {
    readonly name: string;
    /** Null where it cannot be inflated, or is longer than the bound. */
    readonly bytes: Buffer | null;
}
/** The entries of a zip archive; of what is none, nothing. */
export declare function zipContents(archive: Buffer, bound: number): ZipContent[];
