import type { Redactor } from '../evidence/redact.ts';
import type { Budget } from './budget.ts';
export interface Holder {
    readonly jwt: string;
    readonly userId: string;
}
/** Calling tokens to try a service with, good and bad. */
export interface Supply {
    /** A token that nobody has offered yet; one after the other for different users, where there are several. */
    fresh(): Promise<Holder>;
    /** For trials that will mostly not even be looked at: a few of them share one. */
    lent(): Promise<Holder>;
    /**
     * Text of no meaning, for a user of its own: as long as a token and with the same dots, so that nothing but what it
     * says can make a difference.
     */
    garbage(): Holder;
    /** A token whose signature has been damaged. */
    tampered(): Promise<Holder>;
}
export declare function createSupply({ mintFor, newUser, redactor, budget, }: {
    readonly mintFor: () => Promise<Holder>;
    readonly newUser: () => string;
    readonly redactor: Redactor;
    readonly budget: Budget;
}): Supply;
