/**
 * Whether a list of numbers may be the codes of a text that holds the prefix, in either direction, each of them shifted
 * or masked by the same number: then the steps from one to the next are those of the prefix.
 */
export declare function hasMaskedCodes(text: string, prefix: string): boolean;
