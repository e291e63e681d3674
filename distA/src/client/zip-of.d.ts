export interface NamedBytes {
    /** ASCII. */
    readonly name: string;
    readonly bytes: Buffer;
}
/** A zip archive whose entries are stored as they are. */
export declare function zipOf(files: readonly NamedBytes[]): Buffer;
