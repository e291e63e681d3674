import type { Detection } from './detect.ts';
/** One key to put into the file, below a part of it. */
export interface Setting {
    readonly part: 'mint' | 'signaling' | 'token';
    readonly key: string;
    readonly value: unknown;
}
/** What was found, in the keys of `twotoken.yaml`. */
export declare function settingsOf({ mint, signaling }: Detection): Setting[];
/** The settings as a fragment of the file. */
export declare function fragmentOf(settings: readonly Setting[]): string;
/**
 * The text of the file with a setting put in, and every other byte as it was. Where its part is written in a form that
 * a line cannot be added to, the whole is written anew; comments stay in any case. Only a profile replaces what is
 * there: the rest was somebody's decision.
 */
export declare function withSetting(text: string, { part, key, value }: Setting): string;
