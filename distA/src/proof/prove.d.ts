import type { Conforming, Degenerate } from '../../fixtures/conforming.ts';
import type { AnyCheck } from '../check/check.ts';
import { type CheckResult } from '../check/run-check.ts';
import { type Verdict } from '../check/verdict.ts';
/** One cell of the table: a requirement judged a variant, and what it should have come to. */
export interface Cell {
    readonly requirement: string;
    readonly variant: string;
    readonly kind: 'reference' | 'broken' | 'conforming' | 'degenerate';
    readonly expected: readonly Verdict[];
    readonly result: CheckResult;
    readonly holds: boolean;
}
/** A broken variant is caught by its own requirement. */
export declare function proveCaught(check: AnyCheck, name: string): Promise<Cell>;
/** A conforming variant is accused of nothing. */
export declare function proveUnaccused(checks: readonly AnyCheck[], name: string, { variant, expected }: Conforming): Promise<Cell[]>;
/** A peer that answers nothing, or the same to everything, earns no `pass` for a refusal. */
export declare function proveNoPass(checks: readonly AnyCheck[], name: string, peer: Degenerate): Promise<Cell[]>;
/** One browser for the whole proof; whoever proves closes it. */
export declare const browsers: import("../client/browser.ts").BrowserSource;
