import { Untested } from '../../src/check/judge.js';
/** A double that signs with a key of its own makes tokens that no real signaling can accept. */
export function assertRealTokens({ available }) {
    if (available('mintDouble')?.issuesRealTokens === false)
        throw new Untested("needs tokens that signaling accepts while the backend mints at the suite's double: configure mint, or token.signWith");
}
