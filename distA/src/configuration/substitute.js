import { entriesOf, isCredential } from './credentials.js';
import { pathKey } from './path.js';
const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;
/**
 * Replaces `${NAME}` in every value, never in a key, and `$${` by a literal `${`. What a variable holds is not looked
 * through again. A value that cannot be replaced stays as it was written, so that the rest can still be checked.
 */
export function substitute(written, environment) {
    const problems = [];
    const fromEnvironment = new Map();
    const replaceIn = (text, path) => {
        const faults = [];
        const value = text.replaceAll(reference, (match, name) => {
            if (match === '$${')
                return '${';
            if (name === undefined) {
                faults.push(`holds \${ without the name of a variable and }: write \${NAME}, or $\${ for the characters themselves`);
                return match;
            }
            fromEnvironment.set(pathKey(path), name);
            const found = environment[name];
            const missing = found === undefined ? 'is not set' : found === '' && isCredential(path) ? 'is empty' : undefined;
            if (missing !== undefined)
                faults.push(`needs the environment variable ${name}, which ${missing}: set it`);
            return found ?? match;
        });
        const about = isCredential(path) ? 'credential' : 'configuration';
        problems.push(...faults.map((sentence) => ({ path, sentence, about })));
        return faults.length > 0 ? text : value;
    };
    const walk = (value, path) => {
        if (typeof value === 'string')
            return replaceIn(value, path);
        if (typeof value !== 'object' || value === null)
            return value;
        const entries = entriesOf(value)
            .filter(([, item]) => item !== undefined)
            .map(([key, item]) => [key, walk(item, [...path, key])]);
        return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
    };
    return { value: walk(written, []), fromEnvironment, problems };
}
