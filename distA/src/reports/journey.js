import { credentialsIn } from './credentials.js';
import { lanesOf, placesOf } from './strays.js';
/** The way that is seen most wholly, and of those the first; null where no token was seen. */
export function bestJourney(exchanges) {
    const journeys = new Map();
    for (const exchange of exchanges) {
        const lanes = lanesOf(exchange);
        if (lanes === null)
            continue;
        const socket = exchange.kind === 'websocket';
        for (const fingerprint of jwtsIn(socket ? textSent(exchange) : issuedBy(exchange))) {
            const journey = journeys.get(fingerprint) ?? { fingerprint };
            journeys.set(fingerprint, journey);
            if (!socket)
                journey[lanes.to === 'mint' ? 'minted' : 'fetched'] ??= exchange;
            else if (journey.joined === undefined || (!accepted(journey.joined) && accepted(exchange)))
                journey.joined = exchange;
        }
    }
    let best = null;
    for (const journey of journeys.values())
        if (best === null || worth(journey) > worth(best))
            best = journey;
    return best;
}
export function accepted({ verdict }) {
    return /^(?:was )?accepted\b/.test(verdict);
}
/** What the sender of an exchange said, without what came back. */
export function textSent(exchange) {
    return placesOf(exchange)[0]
        .map(({ text }) => text)
        .join('\n');
}
/** A token is known as the calling JWT only once it has been read: until then, it is recorded as some JWT. */
export function isCallingJwt({ kind }) {
    return kind === 'calling-jwt' || kind === 'jwt';
}
function worth({ minted, fetched, joined }) {
    const way = (fetched === undefined ? 0 : 8) + (minted === undefined ? 0 : 4) + (joined === undefined ? 0 : 2);
    return way + (joined !== undefined && accepted(joined) ? 1 : 0);
}
/** The body of a success of the mint or the backend. */
function issuedBy({ to, response }) {
    const issues = to === 'mint' || to === 'mint-double' || to === 'backend' || to === 'backend-double';
    return issues && response !== undefined && response.status < 300 ? response.body : '';
}
function jwtsIn(text) {
    return credentialsIn(text).flatMap((credential) => isCallingJwt(credential) && credential.fingerprint !== null ? [credential.fingerprint] : []);
}
