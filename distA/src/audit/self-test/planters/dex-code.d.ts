/** Places in a DEX file that refer to a string by its number, and that may refer to another one instead. */
export interface StringUse {
    readonly at: number;
    /** In bytes. */
    readonly width: number;
}
/** `const-string` instructions of all methods, and strings among the static values of all classes. */
export declare function stringUses(bytes: Buffer): {
    constStrings: StringUse[];
    staticValues: StringUse[];
};
