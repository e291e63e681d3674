/** What was found where a secret was looked for. */
export const whereabouts = ['belongs', 'out of place', 'not seen'];
/** The worst of what several requirements saw of a secret at a place counts. */
const worstFirst = ['out of place', 'belongs', 'not seen'];
/** Puts the observations of all taps into one table: every observation whose name ends in `.secretPlaces`. */
export function secretTableOf({ checks }) {
    const rows = new Map();
    const secrets = new Set();
    for (const [place, found] of checks.flatMap(({ observations }) => placesIn(observations))) {
        const row = rows.get(place) ?? new Map();
        rows.set(place, row);
        for (const [secret, where] of Object.entries(found)) {
            secrets.add(secret);
            row.set(secret, worse(row.get(secret), where));
        }
    }
    const columns = [...secrets];
    return {
        secrets: columns,
        rows: [...rows].map(([place, row]) => ({
            place,
            cells: columns.map((secret) => row.get(secret) ?? null),
        })),
    };
}
function placesIn(observations) {
    return Object.entries(observations).flatMap(([name, value]) => name.endsWith('.secretPlaces') && isSecretPlaces(value) ? Object.entries(value) : []);
}
function worse(before, now) {
    return before !== undefined && worstFirst.indexOf(before) < worstFirst.indexOf(now) ? before : now;
}
function isSecretPlaces(value) {
    return (isRecord(value) &&
        Object.values(value).every((row) => isRecord(row) && Object.values(row).every(isWhereabouts)));
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isWhereabouts(value) {
    return whereabouts.some((known) => known === value);
}
