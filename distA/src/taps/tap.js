import { createServer, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { getCACertificates } from 'node:tls';
const keptBytes = 1_048_576;
const keptExchanges = 2_000;
let count = 0;
/** Stands between two parts: passes every HTTP request on as it came, and remembers it. */
export async function startTap({ from, to, host, }) {
    const seen = [];
    let aim = null;
    const server = createServer((request, response) => {
        passOn(request, response, aim)
            .then((exchange) => {
            if (seen.length < keptExchanges)
                seen.push({ number: ++count, from, to, ...exchange });
        })
            .catch(() => response.destroy());
    });
    await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, host, resolve);
    });
    return {
        port: server.address().port,
        aim(origin, ca = []) {
            aim = { origin, ca };
        },
        seen: () => seen,
        async [Symbol.asyncDispose]() {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
        },
    };
}
async function passOn(incoming, response, aim) {
    const { method = 'GET', url = '/', rawHeaders } = incoming;
    const body = await bytesOf(incoming);
    const answer = aim === null ? null : await asked(aim, { method, url, rawHeaders, body });
    const { status, headers, bytes } = answer ?? { status: 0, headers: [], bytes: Buffer.alloc(0) };
    response.writeHead(status === 0 ? 503 : status, headers).end(bytes);
    return {
        method,
        target: url,
        requestHeaders: pairs(rawHeaders),
        requestBody: body.subarray(0, keptBytes).toString('utf8'),
        status,
        responseHeaders: pairs(headers),
        responseBody: bytes.subarray(0, keptBytes).toString('utf8'),
    };
}
/** Null where nobody answers. */
function asked({ origin, ca }, { method, url: target, rawHeaders, body }) {
    const url = new URL(target, origin);
    const isSecure = url.protocol === 'https:';
    // An answer that is not compressed can be searched.
    const headers = pairs(rawHeaders).flatMap(([name, value]) => {
        const key = name.toLowerCase();
        return key === 'accept-encoding' ? [] : [name, key === 'host' ? url.host : value];
    });
    const request = isSecure ? requestTls : requestPlain;
    const trust = isSecure && ca.length > 0 ? { ca: [...getCACertificates(), ...ca] } : {};
    return new Promise((resolve) => {
        const outgoing = request(url, { method, headers, ...trust }, (incoming) => {
            bytesOf(incoming).then((bytes) => resolve({ status: incoming.statusCode ?? 0, headers: unframed(incoming.rawHeaders), bytes }), () => resolve(null));
        });
        outgoing.once('error', () => resolve(null));
        outgoing.end(body);
    });
}
/** The body is passed on whole, so that it is framed anew. */
function unframed(rawHeaders) {
    const framing = new Set(['transfer-encoding', 'connection', 'keep-alive']);
    return pairs(rawHeaders).flatMap(([name, value]) => (framing.has(name.toLowerCase()) ? [] : [name, value]));
}
function pairs(raw) {
    const list = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
        list.push([raw[index] ?? '', raw[index + 1] ?? '']);
    return list;
}
async function bytesOf(incoming) {
    const chunks = [];
    for await (const chunk of incoming)
        chunks.push(chunk);
    return Buffer.concat(chunks);
}
