import { type Folder, type Place } from './folder.ts';
import { type Node } from './scope.ts';
import { type Constant } from './value.ts';
/** The result of a call of one of the functions that put strings together, or of a function of the script. */
export declare function callResult(node: Node, place: Place, folder: Folder): Constant;
