/** Words in any language, with few numbers between them: long pieces of one case, built as speech is. */
export declare function isSpelled(text: string): boolean;
/** Whether letters sound like words. */
export declare function isSpeech(text: string): boolean;
/** The share of the letters and digits that words of three letters and more account for. */
export declare function wordCover(text: string): number;
