/** Joins a container's location and the name of what it holds; bytes that cannot be shown are percent-encoded. */
export declare function inside(container: string, name: string | Buffer): string;
/** What a path ends with, by which formats are told that have no other mark. */
export declare function lastPart(path: string | Buffer): string;
/** Names can hold secrets too: no more of one is left than how it begins. */
export declare function createNameCleaner(prefix: string): (text: string) => string;
/** Control bytes and bytes that are no UTF-8 are percent-encoded. */
export declare function printable(name: string | Buffer): string;
