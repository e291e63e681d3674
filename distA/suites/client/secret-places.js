import { secretIn } from '../../src/evidence/holds-secret.js';
/** Every place in which a session or a calling JWT stands. What a page loads holds what its login answers, and is left aside. */
export function sightingsIn(taps, sessions, jwts) {
    const secrets = [
        ...sessions.map((secret) => ({ kind: 'sessionToken', secret })),
        ...jwts.map((secret) => ({ kind: 'calling JWT', secret })),
    ];
    return taps
        .filter(({ place }) => place !== 'page or script' && place !== 'source map')
        .flatMap((tap) => secrets.flatMap(({ kind, secret }) => {
        const encoding = secretIn(tap.text, secret);
        return encoding === null ? [] : [{ kind, tap, encoding }];
    }));
}
/** The table of secrets and places, as it stands in the results: how each was found there. */
export function secretTable(sightings) {
    const table = {
        sessionToken: {},
        'calling JWT': {},
    };
    for (const { kind, tap, encoding } of sightings) {
        const before = table[kind][tap.place];
        if (before === undefined)
            table[kind][tap.place] = encoding;
        else if (!before.includes(encoding))
            table[kind][tap.place] = `${before}, ${encoding}`;
    }
    return table;
}
/** The judged places, each with what became of the secrets there: the rows of the report's table. */
export function judgedPlaces(sightings, ways) {
    const table = {};
    for (const kind of ['sessionToken', 'calling JWT'])
        for (const [place, found] of [
            ...ways[kind].rightful.map((place) => [place, 'belongs']),
            ...ways[kind].misplaced.map((place) => [place, 'out of place']),
        ]) {
            const isSeen = sightings.some((sighting) => sighting.kind === kind && sighting.tap.place === place);
            table[`the client, ${place}`] = {
                ...table[`the client, ${place}`],
                [kind]: isSeen ? found : 'not seen',
            };
        }
    return table;
}
/** The sessions of whoever signed in: as the driver said, and as the token route was shown. */
export function sessionsOf(app, signedIn) {
    const jwts = new Set(app.issued().map(({ jwt }) => jwt));
    const shown = app.backend.calls().map(({ bearer }) => bearer);
    const known = [...signedIn, ...shown].filter((session) => session !== null && !jwts.has(session));
    return [...new Set(known)];
}
