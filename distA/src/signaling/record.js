const recordedCharacters = 4096;
/** Of a flood of events the first and the last are recorded. */
const recordedFirst = 80;
const recordedLast = 20;
/** Records an attempt as one exchange, without its secrets, and returns the exchange's id. */
export function createRecorder(options) {
    const { journal, redactor, clock, runStart } = options;
    const since = (instant) => Math.round(instant - runStart);
    const clean = (text) => redactor.text(text).slice(0, recordedCharacters);
    const recorded = ({ at, type, text, code }) => ({
        at: since(at),
        type,
        text: clean(type === 'close' ? `${code ?? ''} ${text}`.trim() : text),
    });
    return ({ offer, startedAt, events, verdict }) => {
        const protocols = offer.protocols.join(', ');
        const headers = protocols === '' ? offer.headers : [...offer.headers, ['Sec-WebSocket-Protocol', protocols]];
        return journal.record({
            kind: 'websocket',
            from: 'suite',
            to: 'signaling',
            at: since(startedAt),
            durationMs: Math.round(clock.monotonic() - startedAt),
            request: {
                url: redactor.text(offer.url),
                headers: headers.map(([name, value]) => [name, redactor.text(value)]),
            },
            events: selected(events).map(recorded),
            verdict: redactor.text(verdict),
        });
    };
}
function selected(events) {
    if (events.length <= recordedFirst + recordedLast)
        return events;
    return [...events.slice(0, recordedFirst), ...events.slice(-recordedLast)];
}
