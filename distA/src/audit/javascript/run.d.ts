import { type Folder } from './folder.ts';
import { type Node, type Scope } from './scope.ts';
import { type Callable, type Constant } from './value.ts';
/** Runs a function of the script on constants; what it returns is `undefined` where that depends on anything else. */
export declare function runBody({ callable, scope, frame }: Callable, args: readonly Constant[], folder: Folder): Constant;
/** What a name holds after a loop. */
export declare function runLoop(loop: Node, scope: Scope, name: string, value: Constant, folder: Folder): Constant;
