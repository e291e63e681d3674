import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodeOfOutcome } from '../check/verdict.js';
import { TwotokenError } from '../errors.js';
import { mergeRuns } from '../reports/merge.js';
import { readResults } from '../reports/read.js';
import { loadCatalogue } from './catalogue.js';
import { checkNamed } from './explain.js';
import { artefactsOf, assertWritable, keep } from './keep.js';
import { summaryText } from './summary.js';
/**
 * `twotoken merge`: the shards of a run as one result, with the exit code that the whole run would have had.
 * @throws TwotokenError `usage` for parts that are missing, unreadable or of different runs; `unwritable`
 */
export async function merge({ paths, out = 'twotoken-results', strict, json }, { stdout, stderr, directory, color }) {
    const files = (await Promise.all(paths.map((path) => resultFiles(resolve(directory, path))))).flat();
    const parts = await Promise.all(files.map(async (file) => ({ file, run: await readResults(file) })));
    const catalogue = await loadCatalogue();
    const results = mergeRuns(parts, (id) => {
        const { title, role, level, clauses } = checkNamed(id, catalogue);
        return { id, title, role, level, clauses };
    });
    const folder = resolve(directory, out);
    await assertWritable(folder);
    const artefacts = artefactsOf(results, []);
    const unwritten = await keep(folder, artefacts);
    if (json)
        stdout.write(artefacts['results.json'] ?? '');
    const reportPath = unwritten === null ? join(folder, 'report.html') : 'not written';
    (json ? stderr : stdout).write(summaryText(results, { color, reportPath }));
    if (unwritten !== null)
        throw unwritten;
    const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true);
    return results.outcome === 'conformant' && strict && warned ? 1 : exitCodeOfOutcome[results.outcome];
}
/** The file itself, or every `results.json` in the folder and the folders in it. */
async function resultFiles(path) {
    const found = await stat(path).catch((cause) => {
        throw new TwotokenError('usage', `${path} is not there: name a results.json, or a folder with some`, cause);
    });
    if (!found.isDirectory())
        return [path];
    const files = (await readdir(path, { recursive: true })).filter((file) => /(^|[\\/])results\.json$/.test(file));
    if (files.length === 0)
        throw new TwotokenError('usage', `${path} holds no results.json: name the folders that the shards wrote`);
    return files.toSorted().map((file) => join(path, file));
}
