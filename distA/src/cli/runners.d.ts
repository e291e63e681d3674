import type { AnyCheck } from '../check/check.ts';
import type { WorkerTask } from '../runner/protocol.ts';
import type { RunEvents, RunningChecks } from '../runner/run-checks.ts';
/**
 * Vitest runs the checks, and then Playwright those of the client: a browser would keep the machine busy while others
 * measure seconds. Each is loaded only where it has something to do, and only now: what is wrong with a configuration
 * is said a second sooner.
 */
export declare function startRunners(checks: readonly AnyCheck[], task: WorkerTask, variables: NodeJS.ProcessEnv, events: RunEvents): Promise<RunningChecks>;
