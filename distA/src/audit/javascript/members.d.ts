import type { Folder, Place } from './folder.ts';
import { type Node } from './scope.ts';
import { type Constant } from './value.ts';
/** The value of a property of a constant, or of a property that the script gives one value only. */
export declare function memberOf(node: Node, place: Place, folder: Folder): Constant;
