/** Whether a script holds a piece of what is looked for, or can spell it, so that it is worth parsing. */
export interface Fragments {
    inText(text: string): boolean;
    /** The same for bytes in UTF-8, which are only made a text where there is a sign. */
    inBytes(bytes: Buffer): boolean;
}
export declare function fragmentsOf(prefix: string): Fragments;
