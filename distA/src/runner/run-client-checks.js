import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { systemClock } from '../clock/clock.js';
import { TwotokenError } from '../errors.js';
import { taskVariable } from './protocol.js';
const reporterFile = join(import.meta.dirname, `playwright-reporter${extname(import.meta.filename)}`);
/** How long Playwright has to end its workers and their browsers. */
const cancelMs = 2000;
/** Has Playwright run the checks of the client, and turns what its reporter says into our own events. */
export function startClientChecks(configurationFile, task, variables, events) {
    const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
    const child = fork(cli, ['test', '--config', configurationFile, '--reporter', reporterFile], {
        env: { ...variables, [taskVariable]: JSON.stringify(task) },
        execArgv: [],
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let failure = null;
    let hasEnded = false;
    let said = '';
    for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
            said = (said + chunk.toString('utf8')).slice(-2000);
        });
    child.on('message', (message) => {
        if (message.type === 'started')
            events.onStarted(task.ids.length);
        else if (message.type === 'report')
            events.onReport(message.report);
        else if (message.type === 'error')
            failure ??= message.message;
        else
            hasEnded = true;
    });
    const finished = new Promise((resolve) => {
        child.once('error', (error) => resolve(failureOf(error.message)));
        child.once('exit', () => {
            if (failure !== null)
                resolve(failureOf(failure));
            else
                resolve(hasEnded ? null : failureOf(lastLine(said)));
        });
    });
    return {
        finished,
        async cancel() {
            child.kill('SIGINT');
            const tooLong = systemClock.until(systemClock.monotonic() + cancelMs).then(() => true);
            if (await Promise.race([finished.then(() => false), tooLong]))
                child.kill('SIGKILL');
            await finished;
        },
    };
}
function failureOf(why) {
    return new TwotokenError('internal', `the checks of the client could not be run: ${why}`);
}
function lastLine(text) {
    return text.trim().split('\n').at(-1) ?? 'Playwright ended early';
}
