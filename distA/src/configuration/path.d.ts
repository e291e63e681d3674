/** Where a value stands in the configuration: the keys and list positions that lead to it. */
export type KeyPath = readonly (string | number)[];
/** A path as one string, to look it up by. */
export declare function pathKey(path: KeyPath): string;
/** A path as a reader of the file knows it, such as `signaling.profile.failure[0].http`. */
export declare function showPath(path: KeyPath): string;
/** A key's name, unless it may be a secret that was pasted where a key belongs. */
export declare function showKey(key: string): string;
/** The value at a path, `undefined` where the path leads nowhere. */
export declare function valueAt(root: unknown, path: KeyPath): unknown;
