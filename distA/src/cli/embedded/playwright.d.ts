import '../../async-disposable-stack.ts';
import { type TestType } from '@playwright/test';
export interface ConformanceFixtures {
    /**
     * Judges the client by one requirement, such as `CLI-06`. Throws, and so fails the test, with what was seen and what
     * was expected; also where it could not be judged. A warning is an annotation of the test.
     */
    requirement(id: string): Promise<void>;
}
export interface ConformanceOptions {
    /** The `twotoken.yaml` that describes the client; relative to the folder in which Playwright runs. */
    readonly twotoken: string;
}
/**
 * Playwright's `test` with the requirements on a client in it. They open a browser of their own, whose whole traffic
 * goes through the suite, whatever `page` does.
 *
 * @example
 * import { test } from 'twotoken/playwright'
 * test('mints again when it is refused', ({ requirement }) => requirement('CLI-06'))
 */
export declare const test: TestType<ConformanceFixtures, ConformanceOptions>;
