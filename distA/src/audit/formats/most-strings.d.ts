/** @throws RangeError where a table says that it has more strings, or references to them, than can be held */
export declare function assertHoldable(count: number): void;
