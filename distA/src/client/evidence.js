import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactedTrace } from './redacted-trace.js';
/** Of a check that opens many pages the first ones tell enough. */
const mostPages = 3;
/** `folder` is made when there is something to write. */
export async function createEvidence(folder, redactor) {
    const temporary = await mkdtemp(join(tmpdir(), 'twotoken-trace-'));
    const caught = new Map();
    const followed = new Map();
    let count = 0;
    const write = async (name, { trace, screenshot, words }) => {
        await mkdir(folder, { recursive: true });
        const written = [`${name}.zip`];
        await writeFile(join(folder, `${name}.zip`), redactedTrace(await readFile(trace), redactor));
        if (screenshot === null)
            return written;
        if (redactor.text(words) !== words)
            return [...written, `${name}.png left out: the page showed a secret`];
        await writeFile(join(folder, `${name}.png`), screenshot);
        return [...written, `${name}.png`];
    };
    return {
        async follow(checkId, context) {
            const order = (followed.get(checkId) ?? 0) + 1;
            followed.set(checkId, order);
            if (order > mostPages)
                return () => Promise.resolve();
            await context.tracing.start({ snapshots: true, screenshots: false });
            return async (page) => {
                const trace = join(temporary, `${++count}.zip`);
                const screenshot = await page.screenshot({ timeout: 2000 }).catch(() => null);
                const words = await page.evaluate(() => document.documentElement.outerText).catch(() => '');
                await context.tracing.stop({ path: trace });
                caught.set(checkId, [...(caught.get(checkId) ?? []), { trace, screenshot, words }]);
            };
        },
        async settle(checkId, isWanted) {
            const own = caught.get(checkId) ?? [];
            caught.delete(checkId);
            if (!isWanted) {
                for (const { trace } of own)
                    await rm(trace, { force: true });
                return [];
            }
            const names = await Promise.all(own.map((one, index) => write(`${checkId}-${index + 1}`, one)));
            return names.flat();
        },
        [Symbol.asyncDispose]: () => rm(temporary, { recursive: true, force: true }),
    };
}
