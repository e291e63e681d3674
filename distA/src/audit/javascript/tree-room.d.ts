/** Whether a script's tree would take more memory than there is for it. */
export declare function isTooLargeForTree(text: string): boolean;
/** Trees that are done with are garbage, which V8 lets pile up to gigabytes: it is taken away before that. */
export declare function makeRoomFor(text: string): void;
