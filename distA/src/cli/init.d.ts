import { type Dialogue } from './init-questions.ts';
export interface InitOptions {
    readonly directory: string;
    /** Overwrites a file that is there. */
    readonly force?: boolean;
    /** Somebody to ask; without one the template is written as it is. */
    readonly dialogue?: Dialogue;
}
/**
 * Writes a commented `twotoken.yaml` into a folder.
 * @returns a sentence that says what was done with which file
 * @throws TwotokenError `usage` where there is one already and `force` is not given, `unwritable` where it cannot be written
 */
export declare function initialise({ directory, force, dialogue }: InitOptions): Promise<string>;
