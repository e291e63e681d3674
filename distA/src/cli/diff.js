import { createRedactor } from '../evidence/redact.js';
import { assertNoSecret } from '../evidence/scan.js';
import { diffOf, exitCodeOfDiff, } from '../reports/diff.js';
import { onOneLine } from '../reports/escape.js';
import { sentenceOf } from '../reports/groups.js';
import { readResults } from '../reports/read.js';
/**
 * `twotoken diff`: what changed between two runs. Returns 1 for a violation that was not there before, 3 where
 * something that was judged before is unknown now.
 * @throws TwotokenError `usage` or `secret-in-output`
 */
export async function diff({ older, newer, json }, { stdout }) {
    const found = diffOf(await readResults(older), await readResults(newer));
    const text = json ? `${JSON.stringify(found, null, 2)}\n` : diffText(found);
    assertNoSecret('the difference', text, createRedactor());
    stdout.write(text);
    return exitCodeOfDiff(found);
}
const headings = {
    newFailures: 'New violations',
    lost: 'Judged before, unknown now',
    fixed: 'Fixed',
    changed: 'Other verdict',
    added: 'New requirements',
    removed: 'No longer there',
    stillFailing: 'Still violated',
};
function diffText(found) {
    const { old, new: now, observations } = found;
    const groups = Object.entries(headings).map(([kind, heading]) => {
        const changes = found[kind];
        return group(heading, changes.length, changes.flatMap(linesOf));
    });
    const same = groups.every((text) => text === '') && observations.length === 0;
    return [
        runLine('old', old),
        `${runLine('new', now)}\n`,
        ...groups,
        group('Observed otherwise', observations.length, observations.map(observationLine)),
        same ? 'nothing changed\n' : '',
    ].join('');
}
function runLine(name, { target, startedAt, outcome }) {
    return `${name}  ${onOneLine(target)}, ${startedAt}: ${outcome}\n`;
}
function group(heading, count, lines) {
    return count === 0 ? '' : `${heading} (${count})\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}
function linesOf(change) {
    const { id, old, new: now, says } = change;
    const turn = old === now ? now : `${old ?? 'not there'} → ${now ?? 'not there'}`;
    return [`${id}  ${turn}  ${onOneLine(sentenceOf(change))}`, ...says.map((text) => `  ${onOneLine(text)}`)];
}
function observationLine(change) {
    const value = (key) => Object.hasOwn(change, key) ? JSON.stringify(change[key]) : 'not observed';
    return onOneLine(`${change.name}: ${value('old')} → ${value('new')}`);
}
