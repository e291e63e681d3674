import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TwotokenError } from '../errors.js';
import { parseConfigurationText } from './document.js';
import { resolveFrom } from './resolve.js';
/**
 * Reads `twotoken.yaml`, puts the environment and the credentials in, and makes its paths absolute.
 * @throws TwotokenError `configuration` or `credential`, with every problem on a line of its own
 */
export async function loadConfiguration(file, environment, options = {}) {
    const { written, origin } = parseConfigurationText(await textOf(file), file);
    return resolveFrom(written, origin, { directory: dirname(resolve(file)), environment, ...options });
}
/**
 * Resolves a configuration that was made in memory, with the rules of the file.
 * @throws TwotokenError as `loadConfiguration`
 */
export function resolveConfiguration(written, surroundings) {
    return resolveFrom(written, { lineOf: () => 0 }, surroundings);
}
async function textOf(file) {
    const bytes = await readFile(file).catch((cause) => {
        throw new TwotokenError('configuration', `${file} cannot be read: ${reasons[cause.code ?? ''] ?? cause.code}`, cause);
    });
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (cause) {
        throw new TwotokenError('configuration', `${file} is not UTF-8 text, expected YAML in UTF-8: save it as UTF-8`, cause);
    }
}
const reasons = {
    ENOENT: 'there is no such file, expected a configuration: write one with "twotoken init" or name another with --config',
    EISDIR: 'it is a folder, expected a file: name the file in it',
    EACCES: 'its permissions do not allow it, expected a readable file: change them',
};
