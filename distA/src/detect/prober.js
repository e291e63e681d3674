import { createSecureContext, getCACertificates } from 'node:tls';
import { alarm } from '../signaling/alarm.js';
import { connect } from '../signaling/connection.js';
import { isEnd } from '../signaling/event-log.js';
import { createRecorder } from '../signaling/record.js';
import { signIn } from '../signaling/signs.js';
import { GivenUp } from './budget.js';
/** How many attempts are under way at a time: no more than a few tabs of one user would make. */
const atOnce = 4;
const dialMs = 10_000;
const pausesMs = [1000, 2000, 4000, 8000];
/** Keeps to a limit on the rate: it waits, goes on one at a time, and gives up where that does not help. */
export function createProber(options) {
    const { clock, ca, frameBytes, budget } = options;
    const trust = ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) };
    const record = createRecorder(options);
    const pauses = [...pausesMs];
    let lanes = atOnce;
    let running = 0;
    const waiting = [];
    const enter = async () => {
        if (running >= lanes)
            await new Promise((resolve) => waiting.push(resolve));
        running += 1;
    };
    const leave = () => {
        running -= 1;
        if (running < lanes)
            waiting.shift()?.();
    };
    const once = async (offer, { windowMs, quietMs, jwt }) => {
        budget.attempt();
        const startedAt = clock.monotonic();
        const connection = connect(offer, { ...trust, frameBytes, deadlineMs: windowMs, clock });
        const { log } = connection;
        const over = Promise.withResolvers();
        let said = Number.POSITIVE_INFINITY;
        // A connection that is slow in coming about says nothing about what would have become of it.
        const unlessDialling = () => {
            if (connection.isReached() || clock.monotonic() - startedAt > dialMs)
                over.resolve();
            else
                cancel = alarm(clock, clock.monotonic() + windowMs, unlessDialling);
        };
        let cancel = alarm(clock, startedAt + windowMs, unlessDialling);
        const watchFor = (ms) => {
            cancel();
            cancel = alarm(clock, clock.monotonic() + ms, over.resolve);
        };
        const stop = log.listen((event) => {
            if (isEnd(event))
                over.resolve();
            const isCue = offer.after === 'open' ? event.type === 'open' : signIn([offer.after], event) !== undefined;
            if (isCue && said === Number.POSITIVE_INFINITY) {
                said = log.events.length;
                for (const message of offer.messages)
                    connection.send(message);
                said += offer.messages.length;
                watchFor(windowMs);
            }
            else if (event.type === 'frame' && quietMs !== undefined && log.events.length > said)
                watchFor(Math.min(quietMs, windowMs));
        });
        await over.promise;
        stop();
        cancel();
        const events = [...log.events];
        const isReached = connection.isReached();
        const frames = events.slice(Math.min(said, events.length)).filter(({ type }) => type === 'frame');
        const end = events.find(isEnd) ?? null;
        await connection[Symbol.asyncDispose]();
        return {
            exchange: record({ offer, startedAt, events, verdict: wordsOf(end) }),
            events,
            end,
            frames: frames.map(({ text }) => text),
            lastMs: (events.at(-1)?.at ?? clock.monotonic()) - startedAt,
            protocol: events.find(({ type }) => type === 'open')?.text ?? '',
            isReached,
            jwt: jwt ?? '',
        };
    };
    return {
        async probe(offer, watch) {
            await enter();
            try {
                for (;;) {
                    const trace = await once(offer, watch);
                    if (!isLimited(trace))
                        return trace;
                    lanes = 1;
                    const pauseMs = pauses.shift();
                    if (pauseMs === undefined)
                        throw new GivenUp('signaling limits how often it may be asked');
                    await clock.until(clock.monotonic() + pauseMs);
                }
            }
            finally {
                leave();
            }
        },
    };
}
/** Refused for coming too often: HTTP 429, close code 1013 (try again later), and its like among the free codes. */
function isLimited({ end }) {
    return ((end?.type === 'http' && end.code === 429) ||
        (end?.type === 'close' && [1013, 4429].includes(end.code ?? 0)));
}
function wordsOf(end) {
    if (end === null)
        return 'was left open';
    if (end.type === 'http')
        return `answered ${end.code}`;
    if (end.type === 'close')
        return end.code === 1006 ? 'ended without a close frame' : `closed with ${end.code}`;
    return end.text;
}
