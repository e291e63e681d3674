var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlLost } from '../check/judge.js';
import { createAuthority } from '../tls/certificates.js';
export const frontPaths = { backend: '/calling/token', signaling: '/signaling' };
/** @throws ControlLost where the address cannot be had */
export async function openFrontDoor({ counterpart, tls, host = '127.0.0.1', port = 0, authority: given, }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const authority = tls ? (given ?? createAuthority()) : null;
        let caFile = null;
        if (authority !== null) {
            const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'twotoken-client-')), (path) => rm(path, { recursive: true, force: true }));
            caFile = join(folder, 'ca.pem');
            await writeFile(caFile, authority.certificate);
        }
        const names = [...new Set([host, '127.0.0.1', 'localhost'])];
        const server = authority === null ? createServer() : createTlsServer(authority.issue({ names }));
        const sockets = new Set();
        server.on('connection', (socket) => {
            sockets.add(socket);
            socket.once('close', () => sockets.delete(socket));
        });
        await new Promise((resolve, reject) => {
            server.once('error', (error) => reject(new ControlLost(`the doubles of the client cannot listen on ${host}:${port} (${error.message})`)));
            server.listen(port, host, resolve);
        });
        const shown = host.includes(':') ? `[${host}]` : host;
        const place = `${shown}:${server.address().port}`;
        const [http, ws] = tls ? ['https', 'wss'] : ['http', 'ws'];
        server.on('request', (request, response) => counterpart.request(new URL(request.url ?? '/', `${http}://${place}`), request, response));
        server.on('upgrade', (request, socket, head) => {
            socket.on('error', () => socket.destroy());
            counterpart.upgrade(new URL(request.url ?? '/', `${ws}://${place}`), request, socket, head);
        });
        stack.defer(async () => {
            for (const socket of sockets)
                socket.destroy();
            await new Promise((resolve) => server.close(resolve));
        });
        const backendUrl = `${http}://${place}${frontPaths.backend}`;
        const signalingUrl = `${ws}://${place}${frontPaths.signaling}`;
        const parts = stack.move();
        return {
            backendUrl,
            signalingUrl,
            caFile,
            environment: {
                TWOTOKEN_BACKEND_URL: backendUrl,
                TWOTOKEN_SIGNALING_URL: signalingUrl,
                ...(caFile === null
                    ? {}
                    : { TWOTOKEN_CA_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile }),
            },
            [Symbol.asyncDispose]: () => parts.disposeAsync(),
        };
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
