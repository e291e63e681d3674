export const verdicts = ['pass', 'fail', 'warn', 'info', 'not-applicable', 'untested', 'error'];
/** From the least to the most serious; the verdict on a requirement is the worst of its parts. */
const severity = ['not-applicable', 'info', 'pass', 'warn', 'untested', 'error', 'fail'];
export function worst(parts, least) {
    let found = least;
    for (const part of parts)
        if (severity.indexOf(part) > severity.indexOf(found))
            found = part;
    return found;
}
/** What a broken part of this level makes of the whole requirement. */
export function verdictOfBreach(level) {
    if (level === 'MUST')
        return 'fail';
    return level === 'INFO' ? 'info' : 'warn';
}
/** A run in which nothing was judged is never conformant. */
export function outcomeOf(counts) {
    if (counts.fail > 0)
        return 'nonconformant';
    if (counts.error > 0)
        return 'error';
    if (counts.untested > 0)
        return 'incomplete';
    return counts.pass + counts.warn + counts.info === 0 ? 'incomplete' : 'conformant';
}
export const exitCodeOfOutcome = {
    conformant: 0,
    nonconformant: 1,
    incomplete: 3,
    error: 4,
};
