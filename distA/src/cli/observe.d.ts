import type { AnyCheck } from '../check/check.ts';
import type { WorkerTask } from '../runner/protocol.ts';
import type { RunEvents, RunningChecks } from '../runner/run-checks.ts';
interface Terminal {
    readonly stdin?: NodeJS.ReadableStream;
    readonly stderr: {
        write(text: string): void;
    };
}
/**
 * `run --observe`: one check after the other, in this process, since somebody has to be told what to do next.
 * @throws TwotokenError `configuration` where nothing says where the doubles are to listen
 */
export declare function startObservation(checks: readonly AnyCheck[], { configuration, seed }: WorkerTask, { stdin, stderr }: Terminal, events: RunEvents): Promise<RunningChecks>;
export {};
