import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
const keptCharacters = 200_000;
const pauseMs = 50;
/** Starts a program; one that cannot be started has ended. */
export function startProgram({ file, args, directory, environment }) {
    const child = spawn(file, args, {
        cwd: directory,
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    let end = null;
    for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
            printed = (printed + text).slice(-keptCharacters);
        });
    const ended = new Promise((resolve) => {
        const over = (how) => {
            end ??= how;
            resolve(end);
        };
        child.once('error', (error) => over(`could not be started (${error.message})`));
        child.once('exit', (code, signal) => over(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`));
    });
    return {
        ended,
        state: () => end,
        printed: () => printed,
        async stop(graceMs) {
            signalGroup(child, 'SIGTERM');
            const deadline = performance.now() + graceMs;
            while (signalGroup(child, 0) && performance.now() < deadline)
                await delay(pauseMs);
            signalGroup(child, 'SIGKILL');
            child.stdout.destroy();
            child.stderr.destroy();
        },
    };
}
/** Whether there was somebody to hear it. */
function signalGroup({ pid }, signal) {
    if (pid === undefined)
        return false;
    try {
        return process.kill(-pid, signal);
    }
    catch {
        return false;
    }
}
