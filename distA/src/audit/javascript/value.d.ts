import type { Node, Scope } from './scope.ts';
/** A value that is known before the program runs; `undefined` where it is not known. */
export type Constant = string | number | boolean | null | undefined | readonly Constant[] | Uint8Array | RegExp | Fields | Callable;
export interface Fields {
    readonly fields: ReadonlyMap<string, Constant>;
}
/** A function of the script, and what it sees. */
export interface Callable {
    readonly callable: Node;
    readonly scope: Scope;
    readonly frame: Frame | null;
}
/** What the names of a running function hold. */
export interface Frame {
    readonly parent: Frame | null;
    readonly values: Map<string, Constant>;
}
export declare function isList(value: Constant): value is readonly Constant[];
export declare function isFields(value: Constant): value is Fields;
export declare function isCallable(value: Constant): value is Callable;
/** What a condition comes to; `undefined` where that is not known. */
export declare function truth(value: Constant): boolean | undefined;
/** How a value reads inside a string; `undefined` where it is not known. */
export declare function textOf(value: Constant): string | undefined;
