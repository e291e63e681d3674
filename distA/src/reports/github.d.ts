import type { RunResults } from './results.ts';
/** Annotations of a GitHub Actions job: one workflow command per finding, and per reason why something was not judged. */
export declare function renderGithub(run: RunResults): string;
