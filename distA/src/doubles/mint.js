import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isRecord } from '../tokens/decode.js';
import { bodyOf, pairsOf, parsedJson } from './incoming.js';
import { listening } from './listening.js';
import { shaped } from './mint-shape.js';
/** The suite's own mint, to which the backend under test has been pointed: it answers, records, and can be scripted. */
export async function startMintDouble(options) {
    const { fakeMint, issuer, turns, journal, redactor, clock } = options;
    const { runStart = clock.monotonic() } = options;
    let calls = [];
    let script = null;
    let shape = null;
    let usualShape = null;
    let lifetime = null;
    const sockets = new Set();
    const ordinary = async (call) => {
        if (call.method !== 'POST')
            return problem(405, 'this endpoint takes POST');
        if (bearerOf(call) !== fakeMint.apiKey)
            return problem(401, 'unknown API key');
        if (call.userId === null)
            return problem(400, 'userId is required and must be a string');
        const { answer, jwt } = await issuer.issue(call, lifetime);
        if (jwt === null)
            return answer;
        redactor.register('calling-jwt', jwt);
        call.issued = jwt;
        const wanted = shape ?? usualShape;
        if (wanted === null)
            return answer;
        const { contentType, body } = shaped(wanted, jwt);
        return { status: answer.status, headers: { 'content-type': contentType }, body };
    };
    const handle = async (request, response) => {
        const at = clock.monotonic();
        const body = await bodyOf(request, options.bodyBytes);
        const headers = pairsOf(request.rawHeaders);
        const json = parsedJson(body);
        const userId = isRecord(json) && typeof json['userId'] === 'string' ? json['userId'] : null;
        const { method = '', url: target = '' } = request;
        const clean = headers.map(([name, value]) => [name, redactor.text(value)]);
        const call = {
            method,
            target,
            headers,
            body,
            json,
            userId,
            issued: null,
            exchange: '',
        };
        calls.push(call);
        const reaction = script === null ? await ordinary(call) : await script(call, () => ordinary(call));
        call.exchange = journal.record({
            kind: 'http',
            from: 'backend',
            to: 'mint-double',
            at: Math.round(at - runStart),
            durationMs: Math.round(clock.monotonic() - at),
            request: {
                method,
                url: redactor.text(target),
                headers: clean,
                body: redactor.text(body.slice(0, 4096)),
            },
            ...(typeof reaction === 'string'
                ? { failure: reaction === 'hang' ? 'left without an answer' : 'connection closed' }
                : {
                    response: {
                        status: reaction.status,
                        statusText: redactor.text(reaction.statusText ?? ''),
                        headers: Object.entries(reaction.headers ?? {}).map(([k, v]) => [k, redactor.text(v)]),
                        body: redactor.text(reaction.body).slice(0, 4096),
                    },
                }),
        });
        if (reaction === 'hang')
            return;
        if (reaction === 'reset') {
            request.socket.resetAndDestroy();
            return;
        }
        response.writeHead(reaction.status, reaction.statusText, {
            'content-type': 'application/json',
            ...reaction.headers,
        });
        response.end(reaction.body);
    };
    const listener = (request, response) => {
        handle(request, response).catch(() => response.destroy());
    };
    const server = fakeMint.tls && options.certificate !== undefined
        ? createTlsServer(options.certificate, listener)
        : createServer(listener);
    server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
    });
    const port = await listening(server, fakeMint.host, fakeMint.port);
    const stop = async () => {
        for (const socket of sockets)
            socket.destroy();
        if (server.listening)
            await new Promise((done) => server.close(() => done()));
    };
    const scripted = {
        calls: () => calls,
        answer(next) {
            script = next;
        },
        shape(next) {
            shape = next;
        },
        lifetime(seconds) {
            lifetime = seconds;
        },
        async refuseConnections() {
            await stop();
            return {
                [Symbol.asyncDispose]: async () => {
                    await listening(server, fakeMint.host, port);
                },
            };
        },
    };
    return {
        url: `${fakeMint.tls ? 'https' : 'http'}://${fakeMint.host.includes(':') ? `[${fakeMint.host}]` : fakeMint.host}:${port}`,
        apiKey: fakeMint.apiKey,
        issuesRealTokens: issuer.real,
        settleShape(next) {
            usualShape = next;
        },
        alone: (run, due) => turns.alone(async () => {
            calls = [];
            try {
                return await run(scripted);
            }
            finally {
                script = null;
                shape = null;
                lifetime = null;
            }
        }, due),
        [Symbol.asyncDispose]: stop,
    };
}
function problem(status, message) {
    return { status, body: JSON.stringify({ error: { message } }) };
}
function bearerOf(call) {
    const value = call.headers.find(([name]) => name === 'authorization')?.[1];
    return /^bearer +(.+)$/i.exec(value ?? '')?.[1] ?? null;
}
