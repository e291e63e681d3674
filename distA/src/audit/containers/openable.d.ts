/**
 * Whether any of the readers of containers and compressed files may want these bytes; a look that costs next to nothing
 * and is right wherever it says no.
 */
export declare function mayBeOpened(name: string, bytes: Buffer): boolean;
