import { TwotokenError } from '../errors.js';
import { pathKey, showPath } from './path.js';
/** All problems as one error: each on a line of its own that an editor can jump to. */
export function configurationError(problems, origin) {
    const first = new Map();
    for (const problem of problems)
        if (!first.has(pathKey(problem.path)))
            first.set(pathKey(problem.path), problem);
    const lines = [...first.values()]
        .map((problem) => ({ ...problem, line: origin.lineOf(problem.path) }))
        .toSorted((left, right) => left.line - right.line)
        .map(({ path, sentence, line }) => {
        const place = origin.file === undefined ? '' : `${origin.file}:${line}: `;
        return `${place}${path.length === 0 ? 'the configuration' : showPath(path)} ${sentence}`;
    });
    const code = problems.every((problem) => problem.about === 'credential') ? 'credential' : 'configuration';
    const head = lines.length === 1 ? '' : `${lines.length} problems in the configuration:\n`;
    return new TwotokenError(code, head + lines.join('\n'));
}
