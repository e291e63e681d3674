/** Up to three of the known names, the least edits away first; upper and lower case count as one. */
export declare function nearestNames(wanted: string, known: readonly string[]): string;
