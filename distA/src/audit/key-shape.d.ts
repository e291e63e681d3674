export declare const defaultPrefix = "ac_live_";
/** How much a string that begins with the prefix looks like a key. */
export type KeyShape = 'strong' | 'weak' | 'identifier' | 'bare';
/** How many characters a key has after its prefix at least, where nothing else is said. */
export declare const defaultLeastSuffix = 16;
/** The specification gives only the prefix of a key; what follows is judged by how random it is. */
export declare function shapeOf(suffix: string, least?: number): KeyShape;
