import type { MessageSign } from '../configuration/configuration.ts';
import type { Draft, Place } from './draft.ts';
/**
 * What to try at one place, each draft saying as much as a service may want to hear. With `declared` the client also
 * states its userId wherever some service looks for it.
 */
export declare function draftsAt(where: Place, { declared, tokenBytes, greeting, }: {
    readonly declared: boolean;
    readonly tokenBytes: number;
    readonly greeting: MessageSign | null;
}): Draft[];
/** A draft that has something left to say after its token, in the ways that services ask who it is. */
export declare function greeted(draft: Draft): Draft[];
