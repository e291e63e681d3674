import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { BodyTooLarge, failureOf, TooManyRedirects } from './failure.js';
import { headerOf } from './headers.js';
import { inflated } from './inflate.js';
import { redirectOf } from './redirect.js';
const headerBytes = 64 * 1024;
const maxRedirects = 5;
const recordedBodyCharacters = 4096;
/** Enough for requests to overlap in a burst, and few enough not to be taken for an attack. */
const connectionsPerOrigin = 24;
/** An HTTP client that bounds everything a peer can send: time, header, body, redirects, inflation. */
export function createHttpClient(options) {
    // Made once: reading a hundred certificates anew would cost each connection milliseconds.
    const trust = options.ca === undefined
        ? {}
        : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...options.ca] }) };
    const agent = new Agent({
        connections: connectionsPerOrigin,
        maxHeaderSize: headerBytes,
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { timeout: options.deadlineMs, ...trust },
    });
    const { runStart = options.clock.monotonic() } = options;
    const record = (sent, sentAt, outcome) => {
        const clean = (headers) => headers.map(([name, value]) => [name, options.redactor.text(value)]);
        const { answer, failure, notes } = outcome;
        const body = typeof sent.body === 'string' ? sent.body : `‹${sent.body?.byteLength ?? 0} bytes›`;
        return options.journal.record({
            kind: 'http',
            from: options.from ?? 'suite',
            to: sent.to,
            at: Math.round(sentAt - runStart),
            durationMs: Math.round(options.clock.monotonic() - sentAt),
            request: {
                method: sent.method,
                url: options.redactor.text(sent.url),
                headers: clean(sent.headers),
                body: sent.body === undefined ? '' : options.redactor.text(body.slice(0, recordedBodyCharacters)),
            },
            ...(answer === undefined
                ? {}
                : {
                    response: {
                        status: answer.status,
                        statusText: options.redactor.text(answer.statusText),
                        headers: clean(answer.headers),
                        body: options.redactor.text(answer.body).slice(0, recordedBodyCharacters),
                    },
                }),
            ...(failure === undefined ? {} : { failure: options.redactor.text(failure) }),
            ...(notes.length === 0 ? {} : { notes }),
        });
    };
    const send = async (wanted) => {
        const sentAt = options.clock.monotonic();
        const deadlineMs = wanted.deadlineMs ?? options.deadlineMs;
        const signal = AbortSignal.timeout(deadlineMs);
        const notes = [];
        let current = wanted;
        let mayRepeat = true;
        for (let redirects = 0;;) {
            try {
                const answer = await exchange(agent, current, signal, options.bodyBytes);
                const next = wanted.followRedirects === true ? redirectOf(current, answer) : null;
                if (next === null) {
                    return {
                        kind: 'answer',
                        status: answer.status,
                        statusText: answer.statusText,
                        headers: answer.headers,
                        body: answer.body,
                        json: parsedJson(answer.body),
                        sent: textOf(wanted),
                        sentAt,
                        receivedAt: options.clock.monotonic(),
                        exchange: record(wanted, sentAt, { answer, notes }),
                    };
                }
                redirects += 1;
                if (redirects > maxRedirects)
                    throw new TooManyRedirects();
                notes.push(`followed a redirect (${answer.status}) within the origin`);
                current = next;
            }
            catch (error) {
                const { kind, message } = failureOf(error, deadlineMs, options.bodyBytes);
                if (kind === 'reset' && mayRepeat) {
                    mayRepeat = false;
                    notes.push(`tried once more after: ${message}`);
                    continue;
                }
                const receivedAt = options.clock.monotonic();
                const id = record(wanted, sentAt, { failure: message, notes });
                return { kind: 'no-answer', failure: kind, message, sentAt, receivedAt, exchange: id };
            }
        }
    };
    return { send, [Symbol.asyncDispose]: () => agent.destroy() };
}
async function exchange(agent, sent, signal, bodyBytes) {
    const response = await request(sent.url, {
        dispatcher: agent,
        method: sent.method,
        headers: [['accept-encoding', 'identity'], ...sent.headers].flat(),
        ...(sent.body === undefined ? {} : { body: sent.body }),
        responseHeaders: 'raw',
        signal,
    });
    const headers = pairs(response.headers);
    const chunks = [];
    let size = 0;
    for await (const chunk of response.body) {
        size += chunk.byteLength;
        if (size > bodyBytes)
            throw new BodyTooLarge();
        chunks.push(chunk);
    }
    const bytes = inflated(Buffer.concat(chunks), headerOf(headers, 'content-encoding'), bodyBytes);
    return {
        status: response.statusCode,
        statusText: response.statusText,
        headers,
        body: new TextDecoder().decode(bytes),
    };
}
function pairs(raw) {
    if (!Array.isArray(raw))
        return [];
    const text = (value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
    const list = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
        list.push([text(raw[index]).toLowerCase(), text(raw[index + 1])]);
    return list;
}
function parsedJson(body) {
    try {
        return JSON.parse(body);
    }
    catch {
        return undefined;
    }
}
function textOf(sent) {
    const headers = sent.headers.map(([name, value]) => `${name}: ${value}`);
    return [sent.url, ...headers, typeof sent.body === 'string' ? sent.body : ''].join('\n');
}
