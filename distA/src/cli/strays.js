import { exitCodeOf, TwotokenError } from '../errors.js';
import { createRedactor } from '../evidence/redact.js';
/** What is thrown outside of every call: Node would print a stack and end with 1, the code of a violation. */
export function catchStrays() {
    const end = (error) => {
        say(error);
        process.exit(exitCodeOf(error));
    };
    process.on('uncaughtException', end);
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', (error) => {
            // A reader that has seen enough, such as `head`: what is judged, and the exit code, stay as they are.
            if (error.code === 'EPIPE')
                return;
            end(new TwotokenError('unwritable', `what it prints cannot be written (${error.code})`, error));
        });
}
/** One sentence on stderr, without a secret. */
export function say(error) {
    process.stderr.write(`twotoken: ${createRedactor().text(sentenceOf(error))}\n`);
}
function sentenceOf(error) {
    if (error instanceof TwotokenError)
        return error.message;
    return `the suite itself failed: ${error instanceof Error ? error.message : String(error)}`;
}
