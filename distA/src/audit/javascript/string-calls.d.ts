import type { Constant } from './value.ts';
/** The result of a method of a string. */
export declare function stringCall(value: string, method: string, args: readonly Constant[]): Constant;
