/** The same on one line. */
export declare function onOneLine(text: string): string;
/** Text for XML and HTML, as content and inside quoted attributes. */
export declare function escaped(text: string): string;
