import type { RunResults } from '../results.ts';
/** Which secret was seen at which place. */
export declare function secretsHtml(run: RunResults): string;
