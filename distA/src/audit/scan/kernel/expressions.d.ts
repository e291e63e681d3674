/** An S-expression: a word, a quoted string with its quotes, or a list. */
export type Expression = string | readonly Expression[];
/** Reads S-expressions with `;;` comments. @throws Error where a parenthesis has no other */
export declare function readExpressions(source: string): Expression[];
