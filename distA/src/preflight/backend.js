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
import { randomUUID } from 'node:crypto';
import { headerOf } from '../http/headers.js';
import { tokensIn } from '../tokens/decode.js';
import { clockProblems } from './clock.js';
import { openMintDoor } from './mint-door.js';
import { noAnswerProblem } from './problem.js';
import { isWebPage, wantsTls } from './web-page.js';
/** One call of the token route with alice's session, and whether the address of the mint double is free. */
export async function backendProblems(backend, probing) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        if (backend.fakeMint === undefined)
            return await routeProblems(backend, probing, () => false);
        const door = await openMintDoor(backend.fakeMint);
        if ('kind' in door)
            return [door, ...(await routeProblems(backend, probing, () => false))];
        const open = __addDisposableResource(env_1, door, true);
        return await routeProblems(backend, probing, () => open.knocks() > 0);
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
/** `askedToMint`: a backend that has gone to the mint has let alice in, whatever it then answers without a mint. */
async function routeProblems(backend, { http, clock }, askedToMint) {
    const { alice } = backend.sessions;
    const ask = (session) => http.send({
        to: 'backend',
        method: backend.method,
        url: backend.url,
        headers: [
            ...(session === null ? [] : [['authorization', `Bearer ${session}`]]),
            ['accept', 'application/json'],
        ],
    });
    const reply = await ask(alice?.token ?? null);
    if (reply.kind === 'no-answer') {
        // The double is not up yet, and a backend that hangs without a mint is for the requirements to judge.
        const waitsForMint = reply.failure === 'timeout' && backend.fakeMint !== undefined;
        if (waitsForMint && (await ask(null)).kind === 'answer')
            return [];
        return [noAnswerProblem('backend', 'backend.url', backend.url, reply)];
    }
    const clocks = clockProblems('backend', reply, clock);
    const address = addressProblem(backend.url, reply);
    if (address !== null)
        return [address, ...clocks];
    if (alice === undefined)
        return [
            {
                part: 'backend',
                kind: 'session',
                message: 'backend.sessions.alice is missing; expected the session of a logged-in user: without it nothing of the backend is judged',
                fatal: false,
            },
            ...clocks,
        ];
    const refused = !askedToMint() && (await isRefused(reply, () => ask(`tt-preflight-${randomUUID()}`)));
    return [...(refused ? [sessionProblem(backend, reply)] : []), ...clocks];
}
/** Whether alice is not let in: said plainly, or sent where a stranger is sent. */
async function isRefused(reply, asStranger) {
    if (reply.status === 401 || reply.status === 403)
        return true;
    if (reply.status < 300 || reply.status > 399)
        return false;
    const stranger = await asStranger();
    return stranger.kind === 'answer' && stranger.status === reply.status;
}
function sessionProblem({ url, fakeMint }, { status }) {
    const other = fakeMint === undefined ? ", or the backend's own key if it hands the mint's answer on" : '';
    return {
        part: 'backend',
        kind: 'session',
        message: `${url} answered ${status} to backend.sessions.alice; expected a session that is logged in: sign in anew and renew it${other}`,
        fatal: true,
    };
}
function addressProblem(url, answer) {
    const { status, headers } = answer;
    const problem = (message) => ({ part: 'backend', kind: 'url', message, fatal: true });
    if (status === 404)
        return problem(`${url} answered 404; expected the token route: correct backend.url (or backend.method)`);
    if (wantsTls(answer))
        return problem(`${url} speaks TLS; expected plain HTTP: write https:// in backend.url`);
    if (status >= 200 && status <= 299 && isWebPage(answer) && tokensIn(answer.body).length === 0)
        return problem(`${url} answered ${status} with a web page; expected the token route: correct backend.url`);
    const location = headerOf(headers, 'location') ?? '';
    if (status < 300 || status > 399 || !URL.canParse(location, url))
        return null;
    const [from, to] = [new URL(url), new URL(location, url)];
    if (from.origin === to.origin || from.pathname !== to.pathname)
        return null;
    return problem(`${url} redirects to ${to.origin}${to.pathname}; expected an answer, since no session is sent on to another origin: write that address in backend.url`);
}
