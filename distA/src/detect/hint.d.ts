import type { Draft } from './draft.ts';
/**
 * What the user thinks a service wants, in the words of a profile: `{ carriage: …, declaredUser: … }` in YAML.
 * @throws TwotokenError `usage`
 */
export declare function draftFromHint(text: string): Draft;
