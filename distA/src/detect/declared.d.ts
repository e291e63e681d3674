import type { Draft, Piece } from './draft.ts';
import { type Hit, type Searching } from './search.ts';
export interface Declaration {
    /** Pieces to add to the draft: where the client states its userId. */
    readonly pieces: readonly Piece[];
    /** What was seen of it, as a clause. */
    readonly how: 'needed' | 'compared' | 'believed' | 'not looked at';
}
/** Where the service looks for a userId beside the token: a good token is offered in somebody else's name. */
export declare function declarationOf(minimal: Draft, { draft, separation }: Hit, searching: Searching): Promise<Declaration>;
