import type { Judge } from '../../src/check/judge.ts';
import type { StateKey } from '../../src/configuration/configuration.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
/** A state that a key's project may be in; the name completes "a key …". */
export interface KeyState {
    readonly name: string;
    /** Where the configuration names such a key. */
    readonly setting: string;
    readonly typicalStatus: number;
}
/**
 * Judges that a key in a state which cannot be provoked from outside mints nothing. A token shows that the service
 * is wrong only where the operator vouches for the state; otherwise the key may simply not be in it.
 */
export declare function judgeStateKey(parts: PartsOf<'mint'>, judge: Judge, { key, attested }: StateKey, { name, setting, typicalStatus }: KeyState): Promise<void>;
