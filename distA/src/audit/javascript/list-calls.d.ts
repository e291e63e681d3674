import type { Folder } from './folder.ts';
import { type Constant } from './value.ts';
/** The result of a method of an array; nothing is changed in place. */
export declare function listCall(value: readonly Constant[], method: string, args: readonly Constant[], folder: Folder): Constant;
