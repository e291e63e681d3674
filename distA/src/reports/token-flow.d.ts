import { type Credential, type CredentialKind } from './credentials.ts';
import type { RunResults } from './results.ts';
import { type Lane, type Stray } from './strays.ts';
/** One message of the flow, as it was exchanged. */
export interface Arrow {
    readonly from: Lane;
    readonly to: Lane;
    /** Milliseconds since the first arrow. */
    readonly at: number;
    readonly text: string;
    readonly carries: readonly Credential[];
    /** Those of them that this message leaked. */
    readonly leaked: readonly CredentialKind[];
    readonly refused: boolean;
    readonly exchange: string;
}
/** The same credential on the same wrong way, however often. */
export interface Leak extends Stray {
    readonly requirements: readonly string[];
    readonly exchanges: readonly string[];
}
export interface TokenFlow {
    /** The way of one calling JWT; empty where none was seen. */
    readonly arrows: readonly Arrow[];
    readonly leaks: readonly Leak[];
    /** Who stood in for a lane, where it was not the implementation. */
    readonly playedBy: Readonly<Partial<Record<Lane, string>>>;
    /** What passed between backend and mint cannot be seen unless the backend asks the suite's mint double. */
    readonly mintHidden: boolean;
}
/** Follows the fingerprints through the exchanges: the flow as it really went, and where a secret left its way. */
export declare function tokenFlowOf(run: RunResults): TokenFlow;
