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
import { systemClock } from '../clock/clock.js';
import { createJournal } from '../evidence/exchange.js';
import { registerSecrets } from '../evidence/known-secrets.js';
import { createRedactor } from '../evidence/redact.js';
import { createHttpClient } from '../http/client.js';
import { trusted } from '../tls/trusted.js';
import { backendProblems } from './backend.js';
import { clientProblems } from './client.js';
import { credentialProblems } from './credentials.js';
import { mintProblems } from './mint.js';
import { signalingProblems } from './signaling.js';
import { tokenProblems } from './token.js';
/**
 * Finds problems of the configuration and the network before anything is judged. What an implementation does wrong,
 * once it is reached, is none of them. A part that is not configured has no problem.
 * @throws TwotokenError `configuration` where `tls.ca` cannot be read
 */
export async function preflight(configuration, { parts: judged, clock = systemClock }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { mint, backend, signaling, client, token, limits, tls } = configuration;
        const parts = [...new Set(judged.flatMap((role) => partsBehind(role, configuration)))];
        const blank = credentialProblems(configuration, parts);
        const isUsable = (part) => parts.includes(part) && !blank.some((problem) => problem.part === part);
        const redactor = createRedactor();
        registerSecrets(configuration, redactor);
        const ca = await trusted(tls.ca);
        const http = __addDisposableResource(env_1, createHttpClient({
            journal: createJournal(),
            redactor,
            clock,
            ...(ca === undefined ? {} : { ca }),
            deadlineMs: limits.requestSeconds * 1000,
            bodyBytes: limits.bodyBytes,
        }), true);
        const probing = { configuration, http, clock };
        const found = await Promise.all([
            mint !== undefined && isUsable('mint') ? mintProblems(mint, probing) : [],
            backend !== undefined && isUsable('backend') ? backendProblems(backend, probing) : [],
            signaling !== undefined && parts.includes('signaling')
                ? signalingProblems(signaling, { limits, ...(ca === undefined ? {} : { ca }) })
                : [],
            parts.includes('signaling') ? tokenProblems(token, http) : [],
            client !== undefined && judged.includes('client') ? clientProblems(client, { http }) : [],
        ]);
        return [...blank, ...found.flat()].map((problem) => ({
            ...problem,
            message: redactor.text(problem.message),
        }));
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
/** The parts that the requirements on a part speak to. A client is served by doubles, a bundle is only read. */
function partsBehind(role, { mint }) {
    if (role === 'client' || role === 'bundle')
        return [];
    if (role === 'mint')
        return ['mint'];
    if (role === 'backend')
        return ['mint', 'backend'];
    // Calling tokens come from the mint, or else through the backend.
    if (role === 'signaling')
        return mint === undefined ? ['backend', 'signaling'] : ['mint', 'signaling'];
    return ['mint', 'backend', 'signaling'];
}
