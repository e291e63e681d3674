/**
 * How many bits speak for letters being words, in any case and in camel case, rather than random: words have about one
 * for each letter, random letters about one and a half less than none. What is no letter ends a word.
 */
export declare function speechBits(text: string): number;
