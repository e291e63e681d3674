import type { RunResults } from '../results.ts';
/** What else the run left beside the report: logs of containers, screenshots. Named, not loaded. */
export declare function artefactsHtml({ artefacts }: RunResults): string;
