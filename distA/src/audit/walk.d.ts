/** A regular file under a path that is audited. A name that is no UTF-8 is kept as bytes. */
export interface FileOnDisk {
    readonly path: string | Buffer;
    readonly name: string;
    /** Path as given, with `/`. */
    readonly location: string | Buffer;
}
type Path = string | Buffer;
/** Every regular file once. Links are not followed: what they lead to is found at its own place, or is a gap. */
export declare function filesIn(root: string, given: string, gap: (location: Path, reason: string) => void): Generator<FileOnDisk>;
export declare function unreadable(error: unknown): string;
export {};
