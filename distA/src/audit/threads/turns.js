import { availableParallelism } from 'node:os';
import { createClaims } from './claims.js';
import { startSecondThread } from './second-thread.js';
/** When so much was read and as many files are left, a second thread is worth its start. */
const worthBytes = 24 * 1024 * 1024;
const worthFiles = 8;
/**
 * Gives out files from the first to the last. Where they are many, a second thread takes small ones that are no archives
 * from the end of the list, so that memory does not double; what is reported is the same.
 */
export function createTurns(audit, files, settings) {
    const claims = createClaims(files);
    let second = null;
    const isWorth = (index) => second === null &&
        audit.spent.bytes >= worthBytes &&
        files.length - index >= worthFiles &&
        availableParallelism() > 1 &&
        // What cannot be handed over belongs to a test.
        settings.nowSeconds === undefined;
    return {
        async *files() {
            for (const [index, file] of files.entries()) {
                if (isWorth(index))
                    second = startSecondThread({ files, claims: claims.states, settings: shared(settings) });
                if (claims.takeFirst(index))
                    yield file;
            }
            const found = await second?.found();
            if (found !== null && found !== undefined) {
                audit.collector.add(found);
                audit.spent.entries += found.entries;
                audit.spent.bytes += found.bytes;
            }
            // Without an answer, nobody knows what the other thread has read.
            const left = found === null ? claims.ofSecond() : claims.left();
            for (const index of left) {
                const file = files[index];
                if (file !== undefined)
                    yield file;
            }
        },
        async [Symbol.asyncDispose]() {
            await second?.[Symbol.asyncDispose]();
        },
    };
}
function shared({ onProgress: _, ...settings }) {
    return settings;
}
