import { createSecureContext, getCACertificates } from 'node:tls';
import { connect } from './connection.js';
import { decide } from './decide.js';
import { offerOf } from './offer.js';
import { checkProfile, declaresUser } from './profile.js';
import { createRecorder } from './record.js';
/** A client for any signaling that a profile describes. Throws a TwotokenError where the profile cannot be used. */
export function createSignaling(options) {
    const { url, profile, clock, ca, frameBytes } = options;
    checkProfile(url, profile);
    const trust = ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) };
    const record = createRecorder({ ...options, runStart: options.runStart ?? clock.monotonic() });
    const carryOut = async (offer, deadlineMs) => {
        const startedAt = clock.monotonic();
        const connection = connect(offer, { ...trust, frameBytes, deadlineMs, clock });
        const decided = await decide(connection, offer, { profile, clock, deadlineMs });
        const { unauthorized, summary, decidedAt } = decided;
        const exchange = record({ offer, startedAt, events: connection.log.events, verdict: summary });
        const base = { exchange, unauthorized, summary, startedAt, decidedAt };
        if (decided.isAccepted)
            return { ...base, outcome: 'accepted', ...handedOver(connection) };
        const events = [...connection.log.events];
        await connection[Symbol.asyncDispose]();
        const { named, unreachable } = decided;
        return { ...base, outcome: 'refused', events, named, ...(unreachable ? { unreachable } : {}) };
    };
    return {
        declaresUser: declaresUser(profile),
        async attempt(request) {
            const offer = offerOf(url, profile, request);
            if (!('untestable' in offer))
                return carryOut(offer, request.deadlineMs ?? profile.timeoutMs);
            const now = clock.monotonic();
            const summary = `was not asked: ${offer.untestable}`;
            const nothing = { url, headers: [], protocols: [] };
            const exchange = record({ offer: nothing, startedAt: now, events: [], verdict: summary });
            const base = { exchange, unauthorized: false, summary, events: [], startedAt: now, decidedAt: now };
            return { ...base, outcome: 'untestable', reason: offer.untestable };
        },
    };
}
function handedOver(connection) {
    const { log, send } = connection;
    log.skipSeen();
    const { events, ended, next } = log;
    return {
        events,
        socket: { events, ended, next, send, [Symbol.asyncDispose]: connection[Symbol.asyncDispose] },
    };
}
