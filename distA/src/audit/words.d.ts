/** Words that identifiers of apps are made of: a suffix that consists of them is a name, not a key. */
export declare const words: ReadonlySet<string>;
