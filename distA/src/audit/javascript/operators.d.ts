import { type Constant } from './value.ts';
export declare function sum(left: Constant, right: Constant): Constant;
export declare function arithmetic(operator: string, left: Constant, right: Constant): Constant;
/** Where the left side is not known, what stands in its place otherwise is the likelier text. */
export declare function logical(operator: string, left: Constant, right: () => Constant): Constant;
export declare function unary(operator: string, value: Constant): Constant;
