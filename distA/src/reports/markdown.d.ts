import type { RunResults } from './results.ts';
/** Markdown for a pull request or a step summary. */
export declare function renderMarkdown(run: RunResults): string;
