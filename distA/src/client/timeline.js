const recordedCharacters = 4096;
const recordedEvents = 60;
export function createTimeline({ journal, redactor, clock, runStart }) {
    const since = (instant) => Math.round(instant - runStart);
    const clean = (text) => redactor.text(text).slice(0, recordedCharacters);
    const cleanHeaders = (headers) => headers.map(([name, value]) => [name, clean(value)]);
    const unrecorded = [];
    return {
        now: clock.monotonic,
        end() {
            for (const record of unrecorded.splice(0))
                record();
        },
        begin: journal.reserve,
        http(id, { to, at, method, url, headers, body, response, failure }) {
            const durationMs = Math.round(clock.monotonic() - at);
            unrecorded.push(() => journal.record({
                kind: 'http',
                from: 'client',
                to,
                at: since(at),
                durationMs,
                request: { method, url: clean(url), headers: cleanHeaders(headers), body: clean(body) },
                ...(response && {
                    response: {
                        status: response.status,
                        statusText: '',
                        headers: cleanHeaders(response.headers),
                        body: clean(response.body),
                    },
                }),
                ...(failure !== undefined && { failure }),
            }, id));
        },
        socket(id, { to, at, url, headers, events, verdict }) {
            const durationMs = Math.round(clock.monotonic() - at);
            const shown = () => events
                .slice(0, recordedEvents)
                .map((event) => ({ ...event, at: since(event.at), text: clean(event.text) }));
            unrecorded.push(() => journal.record({
                kind: 'websocket',
                from: 'client',
                to,
                at: since(at),
                durationMs,
                request: { url: clean(url), headers: cleanHeaders(headers) },
                events: shown(),
                verdict: clean(verdict),
            }, id));
        },
    };
}
