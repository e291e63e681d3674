import { isCredential, isHidden } from './credentials.js';
import { knownKeys, nearest } from './known-keys.js';
import { credentialForms } from './leaves.js';
import { pathKey, showKey, valueAt } from './path.js';
/** What zod found wrong, as sentences: what was seen, what was expected, what to do. */
export function explain(error, checked) {
    return error.issues.flatMap((issue) => explainIssue(issue, [], checked));
}
function explainIssue(issue, above, checked) {
    const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
    if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => unknownKey(key, path, checked));
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
        const branch = fitting(issue.errors, valueAt(checked.value, path));
        if (branch !== undefined)
            return branch.flatMap((inner) => explainIssue(inner, path, checked));
    }
    if (issue.code === 'custom' && issue.params && 'sentence' in issue.params)
        return [problem(path, issue.message)];
    return [problem(path, mismatch(path, issue, checked))];
}
function problem(path, sentence) {
    return { path, sentence, about: isCredential(path) ? 'credential' : 'configuration' };
}
/**
 * The alternative that the writer most likely meant: it takes this kind of value, and the fewest of its keys are
 * missing or unknown. Where the value fits none by its keys, only the unknown keys are worth a word.
 */
function fitting(branches, value) {
    const sameKind = flat(branches).filter((issues) => issues.every((issue) => issue.path.length > 0 || isKeyIssue(issue)));
    const best = sameKind.toSorted((left, right) => keyFaults(left, value) - keyFaults(right, value))[0];
    const present = best?.filter((issue) => !isMissing(issue, value));
    if (best === undefined || present?.length === best.length || sameKind.length === 1)
        return best;
    return present?.some(isKeyIssue) === true ? present : undefined;
}
/** Alternatives of alternatives, as one list. */
function flat(branches) {
    return branches.flatMap((issues) => {
        const inner = issues[0];
        const nested = inner?.code === 'invalid_union' && inner.path.length === 0 && inner.errors.length > 0;
        return nested ? flat(inner.errors) : [issues];
    });
}
function keyFaults(issues, value) {
    return issues.filter((issue) => isKeyIssue(issue) || isMissing(issue, value)).length * 100 + issues.length;
}
function isKeyIssue(issue) {
    return issue.code === 'unrecognized_keys' && issue.path.length === 0;
}
function isMissing(issue, value) {
    return issue.path.length === 1 && valueAt(value, issue.path.map(String)) === undefined;
}
function unknownKey(key, path, { schema }) {
    const near = nearest(key, knownKeys(schema, path));
    // Where a credential belongs, what looks like a key may be the credential itself.
    if (isHidden(path) && (near === undefined || near.edits > 2))
        return problem(path, `holds an unknown key of ${key.length} characters, expected ${credentialForms}: change it`);
    const place = [...path, key];
    if (near === undefined)
        return problem(place, 'is a key where none is expected: remove it');
    if (near.key === key)
        return problem(place, 'cannot stand beside the other keys here: keep one of them');
    return problem(place, `is not a known key, the nearest known one is "${near.key}": rename or remove it`);
}
function mismatch(path, issue, checked) {
    const value = valueAt(checked.value, path);
    const expected = issue.message;
    if (value === undefined)
        return `is missing, expected ${expected}: add it`;
    if (value === null)
        return `is empty, expected ${expected}: give it a value or remove the line`;
    const variable = checked.fromEnvironment.get(pathKey(path));
    const from = variable === undefined ? '' : ` (from \${${variable}})`;
    const hidden = isHidden(path) || variable !== undefined;
    return `is ${seen(value, hidden, issue)}${from}, expected ${expected}: ${advice(value, issue)}`;
}
function advice(value, issue) {
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return scalar && issue.code === 'invalid_type' && issue.expected === 'string'
        ? 'put it in quotes'
        : 'change it';
}
/** A value by its kind; itself only where it is no secret: a number, a yes or no, a word where one of a few stands. */
function seen(value, hidden, issue) {
    if (Array.isArray(value))
        return 'a list';
    if (typeof value === 'object')
        return 'a mapping';
    if (typeof value === 'number')
        return hidden ? 'a number' : `the number ${value}`;
    if (typeof value === 'boolean')
        return hidden ? 'true or false' : String(value);
    const word = String(value);
    if (word.trim() === '')
        return 'empty text';
    const choice = issue.code === 'invalid_value' || issue.code === 'invalid_union';
    return choice && !hidden && word.length <= 20 && showKey(word) === word
        ? `"${word}"`
        : `text of ${word.length} characters`;
}
