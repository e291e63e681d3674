import { resolve } from 'node:path';
import { countsOf, renderSelfTestJson, renderSelfTestText } from '../audit/self-test/report.js';
import { selfTest } from '../audit/self-test/self-test.js';
import { TwotokenError } from '../errors.js';
import { writeFileWhole } from './write-file.js';
/** `twotoken audit --self-test`: 1 where a canary was missed, 3 where one could not be planted, 0 otherwise. */
export async function auditSelfTest({ paths, format = 'text', out, prefix }, { directory, stdout }) {
    if (format !== 'text' && format !== 'json')
        throw new TwotokenError('usage', '--format of a self-test is one of text, json');
    const result = await selfTest(paths, directory, prefix === undefined ? {} : { prefix });
    const text = format === 'json' ? renderSelfTestJson(result) : renderSelfTestText(result);
    if (out === undefined)
        stdout.write(text);
    else
        await writeFileWhole(resolve(directory, out), text);
    return exitCode(result.cells);
}
export function exitCode(cells) {
    const { planted, missed, unplanted } = countsOf(cells);
    if (missed > 0)
        return 1;
    return planted === 0 || unplanted > 0 ? 3 : 0;
}
