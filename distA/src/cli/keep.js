import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TwotokenError } from '../errors.js';
import { createRedactor } from '../evidence/redact.js';
import { assertNoSecret } from '../evidence/scan.js';
import { renderHtml } from '../reports/html.js';
import { writeFileWhole } from './write-file.js';
/**
 * Makes the folder of the results, before anything is judged.
 * @throws TwotokenError `usage` when nothing can be written there
 */
export async function assertWritable(folder) {
    try {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK);
    }
    catch (error) {
        throw new TwotokenError('usage', `--out ${folder} cannot be written: name a folder that can`, error);
    }
}
/**
 * The files of a run, by name, once a last look has found no secret in any of them.
 * @throws TwotokenError `secret-in-output`
 */
export function artefactsOf(results, secrets, logs = {}) {
    const redactor = createRedactor();
    for (const { kind, secret } of secrets)
        redactor.register(kind, secret);
    const artefacts = {
        'results.json': `${JSON.stringify(results, null, 2)}\n`,
        'report.html': renderHtml(results),
        ...logs,
    };
    for (const [name, text] of Object.entries(artefacts))
        assertNoSecret(name, text, redactor);
    return artefacts;
}
/**
 * Writes every file that can be written, whole.
 * @returns what kept one from being written, for the user to read after what was judged; null when all are there
 */
export async function keep(folder, artefacts) {
    let failure = null;
    for (const [name, text] of Object.entries(artefacts))
        await writeFileWhole(join(folder, name), text).catch((error) => {
            failure ??= error;
        });
    return failure;
}
