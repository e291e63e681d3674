import type { RunResults } from './results.ts';
/**
 * JUnit XML: one suite per part, one test case per requirement, named by its id. It keeps to what readers of JUnit have
 * in common: a test case has no properties, and only suites count what was skipped.
 */
export declare function renderJunit(run: RunResults): string;
