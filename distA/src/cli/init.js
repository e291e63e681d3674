import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TwotokenError } from '../errors.js';
import { customised } from './customise.js';
import { findingsIn } from './init-findings.js';
import { answersTo } from './init-questions.js';
import { configurationTemplate } from './template.js';
/**
 * Writes a commented `twotoken.yaml` into a folder.
 * @returns a sentence that says what was done with which file
 * @throws TwotokenError `usage` where there is one already and `force` is not given, `unwritable` where it cannot be written
 */
export async function initialise({ directory, force = false, dialogue }) {
    const file = join(directory, 'twotoken.yaml');
    const isThere = existsSync(file);
    // Before anybody is bothered with questions.
    if (isThere && !force)
        throw existing(file);
    const text = dialogue === undefined ? configurationTemplate : await answered(dialogue, directory);
    await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((cause) => {
        if (cause.code === 'EEXIST')
            throw existing(file, cause);
        throw new TwotokenError('unwritable', `${file} cannot be written (${cause.code}), expected a writable folder`, cause);
    });
    return `${isThere ? 'overwrote' : 'wrote'} ${file}`;
}
async function answered(dialogue, directory) {
    const findings = await findingsIn(directory);
    const answers = await answersTo(dialogue, findings, basename(directory) || 'my-implementation');
    return customised(configurationTemplate, answers, findings);
}
function existing(file, cause) {
    return new TwotokenError('usage', `${file} exists already, expected no such file: keep it, or overwrite it with --force`, cause);
}
