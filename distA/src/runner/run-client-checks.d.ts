import { type WorkerTask } from './protocol.ts';
import type { RunEvents, RunningChecks } from './run-checks.ts';
/** Has Playwright run the checks of the client, and turns what its reporter says into our own events. */
export declare function startClientChecks(configurationFile: string, task: WorkerTask, variables: NodeJS.ProcessEnv, events: Pick<RunEvents, 'onStarted' | 'onReport'>): RunningChecks;
