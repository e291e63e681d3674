import { onOneLine } from './escape.js';
/** The command that judges one requirement again, with the same made-up ids; null where none does. */
export function commandFor({ id, role }, run) {
    const config = run.config === undefined ? '' : ` --config ${quoted(onOneLine(run.config))}`;
    if (/^[A-Z]+-\d+[A-Z]?$/.test(id))
        return `npx twotoken run --only ${id}${config} --seed ${run.seed}`;
    // An interaction of a pact is verified with its provider, which only a configuration describes.
    return id.startsWith('PACT') && config !== '' ? `npx twotoken verify ${role}${config}` : null;
}
function quoted(word) {
    return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
