import { type Planter, type Wish } from '../planter.ts';
export declare const javascriptSlots: Planter['slots'];
export declare function statementOf(wish: Wish): string;
/** Statements at the end: valid in scripts and modules alike. */
export declare const javascript: Planter;
