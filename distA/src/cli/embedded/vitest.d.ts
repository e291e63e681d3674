import '../../async-disposable-stack.ts';
/** What `describeConformance` judges: as `twotoken run --suite … --only …`. */
export interface ConformanceOptions {
    /** A `twotoken.yaml`; relative to the folder in which Vitest runs. */
    readonly config?: string;
    readonly suites?: readonly ('mint' | 'backend' | 'signaling' | 'flow' | 'bundle')[];
    /** Ids of requirements. */
    readonly only?: readonly string[];
    /** What stands in place of `${NAME}` in the configuration. */
    readonly environment?: Readonly<Record<string, string | undefined>>;
    /**
     * A requirement that could not be judged is a skipped test and not a failed one. What is given up: a configuration
     * that lost a part still looks green.
     */
    readonly allowIncomplete?: boolean;
}
/**
 * Registers every chosen requirement as a test of its own, inside a Vitest run of yours. A violation fails its test
 * with what was seen and what was expected; a warning is an annotation. Requirements on a client run in Playwright, and
 * are left out here.
 *
 * @example
 * import { describeConformance } from 'twotoken/vitest'
 * describeConformance({ config: 'twotoken.yaml', suites: ['backend'] })
 */
export declare function describeConformance({ config, environment, allowIncomplete, ...selection }?: ConformanceOptions): void;
