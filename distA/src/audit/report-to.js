import { gapRules } from './finding.js';
import { fingerprintOf, shownAs } from './fingerprint.js';
import { createNameCleaner } from './location.js';
export function createCollector(prefix) {
    const withoutSecrets = createNameCleaner(prefix);
    const findings = new Map();
    const gaps = new Map();
    const places = new Set();
    const addPlaces = (location, fingerprint) => {
        for (let place = location;; place = place.slice(0, place.lastIndexOf('!'))) {
            places.add(`${place}\0${fingerprint}`);
            if (!place.includes('!'))
                break;
        }
    };
    return {
        report({ secret, show, ...rest }) {
            const fingerprint = fingerprintOf(secret);
            const location = withoutSecrets(rest.location);
            const key = `${rest.rule}\0${location}\0${fingerprint}`;
            const shown = rest.kind === 'mint-call'
                ? withoutSecrets(secret)
                : rest.kind === 'exposure'
                    ? show
                    : shownAs(show, secret.length);
            const known = findings.get(key);
            if (known !== undefined && !isBetter(rest, known))
                return;
            findings.set(key, { ...rest, location, length: secret.length, fingerprint, shown });
            addPlaces(location, fingerprint);
        },
        gap(kind, location, reason) {
            const gap = { rule: gapRules[kind], location: withoutSecrets(location), reason: withoutSecrets(reason) };
            gaps.set(`${gap.rule}\0${gap.location}\0${reason}`, gap);
        },
        count: () => findings.size + gaps.size,
        repeat(from, to) {
            const [known, other] = [withoutSecrets(from), withoutSecrets(to)];
            const moved = (location) => other + location.slice(known.length);
            const isInside = ({ location }) => location === known || location.startsWith(`${known}!`);
            for (const finding of [...findings.values()].filter(isInside)) {
                const location = moved(finding.location);
                findings.set(`${finding.rule}\0${location}\0${finding.fingerprint}`, { ...finding, location });
                addPlaces(location, finding.fingerprint);
            }
            for (const gap of [...gaps.values()].filter(isInside)) {
                const location = moved(gap.location);
                gaps.set(`${gap.rule}\0${location}\0${gap.reason}`, { ...gap, location });
            }
        },
        has: (location, secret) => places.has(`${withoutSecrets(location)}\0${fingerprintOf(secret)}`),
        add(found) {
            for (const finding of found.findings) {
                findings.set(`${finding.rule}\0${finding.location}\0${finding.fingerprint}`, finding);
                addPlaces(finding.location, finding.fingerprint);
            }
            for (const gap of found.gaps)
                gaps.set(`${gap.rule}\0${gap.location}\0${gap.reason}`, gap);
        },
        findings: () => [...findings.values()].sort(byPlace),
        gaps: () => [...gaps.values()].sort(byPlace),
    };
}
/** The same audit, but what was seen in a location already, or in something inside it, is not reported there again. */
export function exceptKnown(audit) {
    const { collector } = audit;
    return {
        ...audit,
        collector: {
            ...collector,
            report: (sighting) => {
                if (!collector.has(sighting.location, sighting.secret))
                    collector.report(sighting);
            },
        },
    };
}
/** Entries are not read in the order of the archive: whatever that order is, reports are the same. */
function byPlace(left, right) {
    if (left.location !== right.location)
        return left.location < right.location ? -1 : 1;
    if (left.offset !== right.offset)
        return (left.offset ?? 0) - (right.offset ?? 0);
    return left.rule === right.rule ? 0 : left.rule < right.rule ? -1 : 1;
}
const severity = ['note', 'warning', 'error'];
/** Of two sightings of one secret in one place, the more serious is kept, then the one whose end is known, then the exact. */
function isBetter(next, known) {
    if (next.level !== known.level)
        return severity.indexOf(next.level) > severity.indexOf(known.level);
    if (next.extent !== known.extent)
        return next.extent === undefined;
    const isExact = ({ decoder }) => decoder === 'string-table';
    if (isExact(next) !== isExact(known))
        return isExact(next);
    return next.offset < known.offset;
}
/** The rule and level of a key that was read in a form. */
export function keyRule(form, shape) {
    if (shape === 'strong') {
        const rule = { plain: 'AUD-001', folded: 'AUD-005', encoded: 'AUD-006', xor: 'AUD-007' }[form];
        return { rule, level: form === 'xor' ? 'warning' : 'error', kind: 'key' };
    }
    if (form === 'xor')
        return null;
    if (shape === 'weak')
        return {
            rule: { plain: 'AUD-002', folded: 'AUD-005', encoded: 'AUD-006' }[form],
            level: 'warning',
            kind: 'key',
        };
    if (shape === 'bare')
        return { rule: 'AUD-004', level: 'warning', kind: 'prefix' };
    return form === 'encoded' ? null : { rule: 'AUD-003', level: 'note', kind: 'identifier' };
}
