import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';
import { WebSocket, WebSocketServer } from 'ws';
const keptBytes = 8 * 1024 * 1024;
const hopByHop = new Set([
    'connection',
    'proxy-connection',
    'keep-alive',
    'transfer-encoding',
    'upgrade',
    'te',
    'trailer',
]);
export function passingOn(ca) {
    const failures = new Map();
    let context;
    const secure = () => {
        if (ca === undefined)
            return {};
        context ??= createSecureContext({ ca: [...getCACertificates(), ...ca] });
        return { secureContext: context };
    };
    const ask = (url, method, headers, body) => new Promise((resolve, reject) => {
        const isSecure = url.protocol === 'https:';
        const options = { method, headers, ...(isSecure ? secure() : {}) };
        const asked = (isSecure ? requestHttps : requestHttp)(url, options, resolve);
        asked.once('error', reject);
        asked.end(body);
    });
    const passing = {
        failure: (origin) => failures.get(origin),
        async request(url, request, response, body) {
            // Unencoded, so that what is loaded can be searched; a server that compresses all the same is passed on as it is.
            const headers = { ...forwarded(request.rawHeaders), 'accept-encoding': 'identity' };
            try {
                const answer = await ask(url, request.method ?? 'GET', headers, body);
                response.once('close', () => answer.destroy());
                const status = answer.statusCode ?? 502;
                response.writeHead(status, answer.statusMessage, listed(forwarded(answer.rawHeaders)));
                const text = await through(answer, response);
                return {
                    status,
                    contentType: answer.headers['content-type'] ?? '',
                    headers: Object.entries(forwarded(answer.rawHeaders)).map(([name, value]) => [name, String(value)]),
                    text,
                };
            }
            catch (error) {
                failures.set(url.origin, error instanceof Error ? error.message || String(error) : String(error));
                request.socket.destroy();
                return null;
            }
        },
        socket(url, request, stream, head, onSent) {
            const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim());
            const { cookie, origin, authorization } = request.headers;
            const carried = { cookie, origin, authorization };
            const given = Object.fromEntries(Object.entries(carried).filter(([, value]) => value !== undefined));
            const upstream = new WebSocket(url, offered.filter((part) => part !== ''), {
                headers: given,
                ...secure(),
            });
            upstream.once('error', () => stream.destroy());
            stream.once('close', () => upstream.terminate());
            upstream.once('open', () => {
                const server = new WebSocketServer({
                    noServer: true,
                    handleProtocols: () => upstream.protocol || false,
                });
                server.handleUpgrade(request, stream, head, (socket) => {
                    relay(upstream, socket, () => undefined);
                    relay(socket, upstream, onSent);
                });
            });
        },
        async text(url) {
            const answer = await ask(url, 'GET', { 'accept-encoding': 'identity' }, Buffer.alloc(0)).catch(() => null);
            if (answer === null)
                return null;
            const text = await collected(answer);
            return answer.statusCode !== undefined && answer.statusCode < 300 ? text : null;
        },
    };
    return passing;
}
function relay(from, to, onText) {
    from.on('message', (data, isBinary) => {
        onText(String(data));
        to.send(data, { binary: isBinary });
    });
    from.on('close', () => to.terminate());
    from.on('error', () => to.terminate());
}
function forwarded(raw) {
    const headers = {};
    for (let index = 0; index + 1 < raw.length; index += 2) {
        const name = (raw[index] ?? '').toLowerCase();
        if (hopByHop.has(name))
            continue;
        headers[name] = [...(headers[name] ?? []), raw[index + 1] ?? ''];
    }
    return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}
function listed(headers) {
    return Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]));
}
async function through(answer, response) {
    answer.on('data', (chunk) => response.write(chunk));
    answer.once('end', () => response.end());
    answer.once('error', () => response.destroy());
    return await collected(answer);
}
function collected(answer) {
    const chunks = [];
    let size = 0;
    return new Promise((resolve) => {
        answer.on('data', (chunk) => {
            if (size < keptBytes)
                chunks.push(chunk);
            size += chunk.byteLength;
        });
        answer.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
}
