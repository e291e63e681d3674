import type { Policies } from '../../src/check/check.ts';
type TokenFor = Policies['backend']['tokenFor'];
interface Hooks {
    readonly tokenFor: TokenFor;
}
/** One mint call at a time for each key: whoever comes meanwhile gets what it brings. */
export declare function sharesWhatIsUnderWay(keyOf: (userId: string) => string): Hooks;
/** Whoever asks while another request waits takes its place. */
export declare function keepsTheUserInAVariable(): Hooks;
/** Whoever is answered while another request writes its log overwrites that one's token. */
export declare function keepsTheReplyInAVariable(): Hooks;
/** For so many milliseconds the last token serves whoever asks. */
export declare function keepsInASlot(milliseconds: number): Hooks;
/** Takes the mint's answers for the oldest requests that wait: right as long as they come in order. */
export declare function answersInTurn(): Hooks;
export {};
