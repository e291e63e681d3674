import type { RunResults } from './results.ts';
/** A picture for a README. */
export declare function renderBadge(run: RunResults): string;
/** The same for an endpoint of shields.io. */
export declare function renderBadgeJson(run: RunResults): string;
