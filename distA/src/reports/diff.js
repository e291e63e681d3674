import { isDeepStrictEqual } from 'node:util';
import { TwotokenError } from '../errors.js';
import { version } from '../version.js';
import { statementsOf } from './groups.js';
/**
 * Compares two runs.
 * @throws TwotokenError `usage` where they have no requirement in common
 */
export function diffOf(older, newer) {
    const before = new Map(older.checks.map((check) => [check.id, check]));
    const after = new Map(newer.checks.map((check) => [check.id, check]));
    if (!newer.checks.some(({ id }) => before.has(id)))
        throw new TwotokenError('usage', 'the two runs have no requirement in common; expected two runs that judged the same');
    const changes = {
        newFailures: [],
        fixed: [],
        stillFailing: [],
        lost: [],
        changed: [],
        added: [],
        removed: [],
    };
    for (const id of new Set([...after.keys(), ...before.keys()])) {
        const [was, is] = [before.get(id), after.get(id)];
        const shown = is ?? was;
        const kind = kindOf(was?.verdict ?? null, is?.verdict ?? null);
        if (shown === undefined || kind === null)
            continue;
        changes[kind].push({
            id,
            title: shown.title,
            role: shown.role,
            old: was?.verdict ?? null,
            new: is?.verdict ?? null,
            says: is === undefined || is.verdict === 'pass' ? [] : statementsOf(is),
        });
    }
    return {
        tool: { name: 'twotoken', version },
        old: summaryOf(older),
        new: summaryOf(newer),
        ...changes,
        observations: changedObservations(older, newer),
    };
}
function kindOf(old, now) {
    if (now === 'fail')
        return old === 'fail' ? 'stillFailing' : 'newFailures';
    if (wasJudged(old) && !wasJudged(now) && now !== 'not-applicable')
        return 'lost';
    if (old === null)
        return 'added';
    if (now === null)
        return 'removed';
    if (old === now)
        return null;
    return old === 'fail' && wasJudged(now) ? 'fixed' : 'changed';
}
function wasJudged(verdict) {
    return verdict === 'pass' || verdict === 'fail' || verdict === 'warn' || verdict === 'info';
}
function summaryOf({ target, startedAt, outcome }) {
    return { target, startedAt, outcome };
}
function changedObservations(older, newer) {
    return changesIn(older.observations, newer.observations, '');
}
/** Goes down to what differs; what only one run observed is left without the other's value. */
function changesIn(older, newer, before) {
    const keys = new Set([...Object.keys(older), ...Object.keys(newer)]);
    return [...keys].flatMap((key) => {
        const [old, now] = [older[key], newer[key]];
        const name = `${before}${key}`;
        if (isDeepStrictEqual(old, now))
            return [];
        if (isValues(old) && isValues(now))
            return changesIn(old, now, `${name} › `);
        return [
            {
                name,
                ...(Object.hasOwn(older, key) ? { old } : {}),
                ...(Object.hasOwn(newer, key) ? { new: now } : {}),
            },
        ];
    });
}
function isValues(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** 1 for a violation that was not there before, 3 where something that was judged before is unknown now. */
export function exitCodeOfDiff({ newFailures, lost }) {
    if (newFailures.length > 0)
        return 1;
    return lost.length > 0 ? 3 : 0;
}
