import type { Common } from '../../src/parts/parts.ts';
/** A double that signs with a key of its own makes tokens that no real signaling can accept. */
export declare function assertRealTokens({ available }: Pick<Common, 'available'>): void;
