export interface PathAndValue {
    /** A normalised JSONPath (RFC 9535, section 2.7). */
    readonly path: string;
    readonly value: unknown;
}
/** Every leaf of a JSON value with its path, in document order. */
export declare function jsonPaths(value: unknown, path?: string, depth?: number): PathAndValue[];
