import type { Judge } from '../../src/check/judge.ts';
import type { Reply } from '../../src/http/client.ts';
import type { MintRequest } from '../../src/parts/mint.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
/** A request that must not mint; its name completes "a request with …". */
export interface Attack {
    readonly name: string;
    readonly request: MintRequest;
}
/** What became of an attack. */
export interface Outcome {
    readonly name: string;
    readonly reply: Reply;
    /** The answer's status, or `null` where there was none. */
    readonly status: number | null;
    readonly hasMinted: boolean;
}
/**
 * Sends requests that must not mint between two ordinary ones, each for a user of its own. They are judged before
 * the second control: a token that was issued stays a violation when that is lost.
 */
export declare function attack({ mint, newUser }: PartsOf<'mint'>, judge: Judge, attacks: readonly Attack[], judgeOutcomes: (outcomes: readonly Outcome[]) => void): Promise<void>;
/**
 * The part that is a MUST wherever no token may be issued. Where a limit on the rate set in while others were
 * answered as such, those behind it were refused for another reason than their own.
 */
export declare function judgeNothingMinted(judge: Judge, outcomes: readonly Outcome[]): void;
/** The status that clause 7 calls typical; answers that held a token are judged already. */
export declare function judgeTypicalStatus(judge: Judge, outcomes: readonly Outcome[], typical: number): void;
