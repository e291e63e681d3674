import { spawn } from 'node:child_process';
import { once } from 'node:events';
/** Far above any credential, far below what would hurt. */
const largestOutput = 65_536;
/**
 * What a shell command prints, trimmed. It runs in a process group of its own, and the whole group is gone when this
 * returns. A failure is the end of a sentence that begins with the key, and never shows what the command printed.
 */
export async function commandOutput(command, { directory, environment, commandSeconds = 10, signal }) {
    const deadline = AbortSignal.timeout(commandSeconds * 1000);
    const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    const child = spawn(command, {
        shell: true,
        cwd: directory,
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
    });
    const killGroup = () => kill(child.pid);
    // What the shell left running in the background would hold the pipe open.
    child.once('exit', killGroup);
    const chunks = [];
    let size = 0;
    child.stdout.on('data', (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > largestOutput)
            killGroup();
    });
    const advice = `: run it by hand in ${directory} to see why`;
    try {
        const [code, killedBy] = (await once(child, 'close', { signal: stop }));
        if (size > largestOutput)
            return { failure: 'has a command that printed more than 64 KiB, expected only the credential' };
        if (code === null)
            return { failure: `has a command that was ended by ${killedBy}, expected exit code 0${advice}` };
        if (code !== 0)
            return { failure: `has a command that ended with exit code ${code}, expected 0${advice}` };
        const output = Buffer.concat(chunks).toString().trim();
        return output === ''
            ? { failure: `has a command that printed nothing, expected the credential on stdout${advice}` }
            : { output };
    }
    catch (error) {
        if (deadline.aborted)
            return {
                failure: `has a command that did not end within ${commandSeconds} s, expected the credential by then${advice}`,
            };
        if (signal?.aborted === true)
            return { failure: 'has a command that was interrupted: start again' };
        return {
            failure: `has a command that could not be started (${codeOf(error)}), expected a shell in ${directory}`,
        };
    }
    finally {
        killGroup();
        child.stdout.destroy();
    }
}
/** Ends a process group; one that is gone already is what was wanted. */
function kill(pid) {
    if (pid === undefined)
        return;
    try {
        process.kill(-pid, 'SIGKILL');
    }
    catch (error) {
        // EPERM: macOS says so of a group that has ended but is not collected yet.
        if (!['ESRCH', 'EPERM'].includes(codeOf(error)))
            throw error;
    }
}
function codeOf(error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
