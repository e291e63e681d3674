import type { ScriptedMint } from '../../src/doubles/mint.ts';
/** The userId that the double made this token for; `null` where it made none such in this turn. */
export declare function mintedFor(double: ScriptedMint, jwt: string): string | null;
