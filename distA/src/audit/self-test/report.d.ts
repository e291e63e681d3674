import type { SelfTest, SelfTestCell } from './self-test.ts';
export declare function renderSelfTestJson({ cells }: SelfTest): string;
/** A line for each format in each kind of container, then every canary that was missed or not planted. */
export declare function renderSelfTestText({ cells }: SelfTest): string;
export declare function countsOf(cells: readonly SelfTestCell[]): {
    planted: number;
    found: number;
    missed: number;
    unplanted: number;
};
