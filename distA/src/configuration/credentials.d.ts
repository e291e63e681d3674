import { type CommandSurroundings } from './command.ts';
import { type KeyPath } from './path.ts';
import type { Problem } from './problem.ts';
/** Whether a credential is wanted at this very path. */
export declare function isCredential(path: KeyPath): boolean;
/** Whether nothing of the value at this path may be shown: a credential, a part of one, or what a driver is given. */
export declare function isHidden(path: KeyPath): boolean;
/**
 * Runs the command of every `{ command }` at once, and puts what they print in their places.
 * @returns the configuration with text in their places, and a problem for each that gave none
 */
export declare function runCredentialCommands(written: unknown, surroundings: CommandSurroundings): Promise<{
    readonly value: unknown;
    readonly problems: readonly Problem[];
}>;
/** The entries of a mapping or a list, with numbers as the keys of a list. */
export declare function entriesOf(value: object): [string | number, unknown][];
