export declare const list: (text: string) => string[];
export declare const wholeNumber: (text: string) => number;
export declare const repeated: (value: string, before: readonly string[]) => string[];
/** `name=value`, where the value may be `env:NAME`. */
export declare const credential: (text: string, before: Readonly<Record<string, string>>) => Record<string, string>;
