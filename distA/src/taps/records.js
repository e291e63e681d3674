import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
export async function serveRecords(taps) {
    const path = `/${randomBytes(24).toString('base64url')}`;
    const server = createServer((request, response) => {
        if (request.url !== path)
            return response.writeHead(404).end();
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify(seenBy(taps)));
    });
    await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
    });
    return {
        url: `http://127.0.0.1:${server.address().port}${path}`,
        async [Symbol.asyncDispose]() {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
        },
    };
}
/** In the order in which it was seen. */
function seenBy(taps) {
    return taps.flatMap((tap) => tap.seen()).toSorted((left, right) => left.number - right.number);
}
const shownBytes = 4096;
export function createTaps(url, journal, redactor) {
    /** In the order of the taps' list, which only grows. */
    const exchanges = [];
    return {
        async seen() {
            const response = await fetch(url);
            const seen = (await response.json());
            return seen.map((one, index) => {
                const exchange = exchanges[index] ?? recorded(one, journal, redactor);
                exchanges[index] = exchange;
                return { ...one, exchange };
            });
        },
    };
}
function recorded(seen, journal, { text }) {
    const { from, to, method, target, requestHeaders, requestBody, status, responseHeaders, responseBody } = seen;
    const clean = (headers) => headers.map(([name, value]) => [name.toLowerCase(), text(value)]);
    return journal.record({
        kind: 'http',
        from,
        to,
        at: 0,
        durationMs: 0,
        request: {
            method,
            url: text(target),
            headers: clean(requestHeaders),
            body: text(requestBody).slice(0, shownBytes),
        },
        ...(status === 0
            ? { failure: 'no answer' }
            : {
                response: {
                    status,
                    statusText: '',
                    headers: clean(responseHeaders),
                    body: text(responseBody).slice(0, shownBytes),
                },
            }),
        notes: ['seen by a tap between the two'],
    });
}
