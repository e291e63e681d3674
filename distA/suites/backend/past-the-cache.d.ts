import type { DoubleCall, ScriptedMint } from '../../src/doubles/mint.ts';
import type { Reply } from '../../src/http/client.ts';
import type { BackendRequest } from '../../src/parts/backend.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
/** Why a part is untested when `askedPastCache` saw no call. */
export declare const answeredFromCache = "the backend answered from a cache, so the mint double was not asked";
export interface Asked {
    readonly reply: Reply;
    /** The calls that reached the double meanwhile; empty where the backend answered without asking the mint. */
    readonly calls: readonly DoubleCall[];
}
/** One request of the app; where a token that the backend may keep until it expires answers it, another one after that. */
export declare function askedPastCache({ backend, clock }: Pick<PartsOf<'backend'>, 'backend' | 'clock'>, double: ScriptedMint, change?: BackendRequest): Promise<Asked>;
