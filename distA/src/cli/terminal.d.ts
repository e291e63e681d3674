import type { Dialogue } from './init-questions.ts';
/** Runs something with the user to ask, where there is one at a terminal. What is asked goes to stderr. */
export declare function withTerminal<T>(run: (given: {
    readonly dialogue?: Dialogue;
}) => Promise<T>): Promise<T>;
