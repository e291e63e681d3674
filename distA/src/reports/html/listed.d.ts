import type { RunResults } from '../results.ts';
/** What was not judged, gathered under the reason; each requirement keeps its sentence. */
export declare function notJudgedHtml(run: RunResults): string;
/** What held and what was only recorded, each with the exchanges it rests on. */
export declare function heldHtml(run: RunResults): string;
