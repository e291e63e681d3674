export type Headers = readonly (readonly [name: string, value: string])[];
/** The value of a header, the first where there are several; `undefined` where there is none. */
export declare function headerOf(headers: Headers, name: string): string | undefined;
