import { createServer } from 'node:http';
import { createSecureContext, TLSSocket } from 'node:tls';
export function identitiesOf(authority) {
    const made = new Map();
    return (host) => {
        const known = made.get(host);
        if (known !== undefined)
            return known;
        const { cert, key } = authority.issue({ names: [host] });
        const context = createSecureContext({ cert: cert + authority.certificate, key });
        made.set(host, context);
        return context;
    };
}
const tlsHandshake = 0x16;
/**
 * An HTTP proxy that answers everything itself, TLS and WebSockets included. No library's: what a double has to do with
 * an upgrade (a status, silence, a reset, a close much later) is decided per connection while it runs.
 */
export async function startProxy(identities, counterpart) {
    const sockets = new Set();
    const origins = new WeakMap();
    const addressOf = (request) => {
        const base = origins.get(request.socket);
        const target = request.url ?? '/';
        const whole = base === undefined || /^[a-z]+:\/\//i.test(target) ? target : base + target;
        return URL.canParse(whole) ? new URL(whole) : null;
    };
    const answer = (request, response) => {
        const url = addressOf(request);
        if (url === null)
            response.writeHead(400).end();
        else
            counterpart.request(url, request, response);
    };
    const upgrade = (request, socket, head) => {
        const url = addressOf(request);
        if (url === null)
            return socket.destroy();
        url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
        return counterpart.upgrade(url, request, socket, head);
    };
    const inner = serving(answer, upgrade);
    const outer = serving(answer, upgrade);
    const enter = (host, port, socket, first) => {
        socket.unshift(first);
        const isSecure = first[0] === tlsHandshake;
        const entered = isSecure
            ? new TLSSocket(socket, {
                isServer: true,
                secureContext: identities(host.replace(/^\[|\]$/g, '')),
                ALPNProtocols: ['http/1.1'],
            })
            : socket;
        entered.on('error', () => entered.destroy());
        const standard = isSecure ? '443' : '80';
        origins.set(entered, `${isSecure ? 'https' : 'http'}://${host}${port === standard ? '' : `:${port}`}`);
        inner.emit('connection', entered);
    };
    outer.on('connect', (request, socket, head) => {
        const [, host, port] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? [];
        if (host === undefined || port === undefined)
            return socket.destroy();
        counterpart.connecting();
        socket.on('error', () => socket.destroy());
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        if (head.length > 0)
            return enter(host, port, socket, head);
        // Read, not listened to: what flows already cannot be handed to TLS.
        return socket.once('readable', () => {
            const first = socket.read();
            if (first === null)
                socket.destroy();
            else
                enter(host, port, socket, first);
        });
    });
    outer.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
    });
    await new Promise((resolve) => outer.listen(0, '127.0.0.1', resolve));
    return {
        address: `http://127.0.0.1:${outer.address().port}`,
        async [Symbol.asyncDispose]() {
            for (const socket of sockets)
                socket.destroy();
            await new Promise((resolve) => outer.close(resolve));
        },
    };
}
function serving(answer, upgrade) {
    const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, answer);
    server.on('upgrade', (request, socket, head) => {
        socket.on('error', () => socket.destroy());
        upgrade(request, socket, head);
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    return server;
}
