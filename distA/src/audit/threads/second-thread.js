import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
const program = join(import.meta.dirname, `second-thread.worker${extname(import.meta.filename)}`);
export function startSecondThread(task) {
    const worker = new Worker(program, { workerData: task });
    const answer = new Promise((resolve) => {
        worker.once('message', (found) => resolve(found));
        worker.once('error', () => resolve(null));
        worker.once('exit', () => resolve(null));
    });
    return {
        found: () => answer,
        async [Symbol.asyncDispose]() {
            await worker.terminate();
        },
    };
}
