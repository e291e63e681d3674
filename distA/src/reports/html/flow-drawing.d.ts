import { type CredentialKind } from '../credentials.ts';
import type { TokenFlow } from '../token-flow.ts';
/** In user units, which are pixels where there is room. */
export interface Canvas {
    readonly width: number;
    /** Room for the times beside the lanes; none where it is 0. */
    readonly gutter: number;
}
/** Lanes, one arrow per message with the credentials that it carried, then the leaks in red. */
export declare function drawing(flow: TokenFlow, { width, gutter }: Canvas): string;
/** A letter in the shape and colour of its kind. */
export declare function badge(kind: CredentialKind, x: number, y: number): string;
export declare function milliseconds(at: number): string;
