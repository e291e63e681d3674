import { TwotokenError } from '../errors.ts';
import { type CheckReport, type WorkerTask } from './protocol.ts';
export interface RunEvents {
    onStarted(total: number): void;
    onWaiting(title: string, seconds: number): void;
    onReport(report: CheckReport): void;
}
export interface RunningChecks {
    /**
     * Resolves when the worker has ended: with null when every check has reported, with what went wrong otherwise.
     * Never rejects.
     */
    readonly finished: Promise<TwotokenError | null>;
    /** Ends the worker, whether or not its tests co-operate; takes a second at most. */
    cancel(): Promise<void>;
}
/**
 * Has Vitest run the worker file, and turns what it reports into our own events. One worker process runs all checks
 * at once: they share a session, a mint double and one wait for expiry.
 */
export declare function startChecks(workerFile: string, task: WorkerTask, events: RunEvents): Promise<RunningChecks>;
