import { extname, join } from 'node:path';
import { TwotokenError } from '../errors.js';
const extension = extname(import.meta.filename);
const workerFile = join(import.meta.dirname, `conformance.worker${extension}`);
const playwrightFile = join(import.meta.dirname, `playwright-settings${extension}`);
/**
 * Vitest runs the checks, and then Playwright those of the client: a browser would keep the machine busy while others
 * measure seconds. Each is loaded only where it has something to do, and only now: what is wrong with a configuration
 * is said a second sooner.
 */
export async function startRunners(checks, task, variables, events) {
    const isClients = ({ role }) => role === 'client';
    const idsOf = (some) => some.map(({ id }) => id);
    // Without a client there is nothing to do in a browser: the reason is all there is to say.
    const inBrowser = task.configuration.client === undefined ? [] : idsOf(checks.filter(isClients));
    const others = idsOf(checks).filter((id) => !inBrowser.includes(id));
    let isCancelled = false;
    let current = null;
    const first = async () => {
        if (others.length === 0)
            return null;
        const { startChecks } = await import('../runner/run-checks.js');
        return await startChecks(workerFile, { ...task, ids: others }, events);
    };
    const then = async () => {
        if (inBrowser.length === 0 || isCancelled)
            return null;
        const { startClientChecks } = await import('../runner/run-client-checks.js');
        return startClientChecks(playwrightFile, { ...task, ids: inBrowser }, variables, events);
    };
    const run = async () => {
        const failures = [];
        for (const start of [first, then]) {
            current = await start();
            failures.push((await current?.finished) ?? null);
        }
        return failures.find((failure) => failure !== null) ?? null;
    };
    const finished = run().catch((error) => error instanceof TwotokenError
        ? error
        : new TwotokenError('internal', `the checks could not be run: ${String(error)}`, error));
    return {
        finished,
        async cancel() {
            isCancelled = true;
            await current?.cancel();
        },
    };
}
