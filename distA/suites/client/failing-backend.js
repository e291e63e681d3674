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
import { ControlLost } from '../../src/check/judge.js';
export function answering(name, answer) {
    return { name, script: () => answer };
}
/** What follows on an answer without a token shows within this time, a failed dial first of all. */
const graceSeconds = 1;
/** On the client's own clock: longer than any pause between two attempts of a client that tries again. */
const patienceSeconds = 60;
/** A client that can be asked to connect again does so within this time. */
const againSeconds = 3;
/**
 * Lets the backend fail in each of these ways, and then not at all: a client that does not connect even then says
 * nothing by not connecting. One client is asked again and again where that can be done, else a new one is opened.
 */
export async function failsOnEach(failings, parts, judge) {
    const { client } = parts;
    let app = null;
    try {
        for (const failing of failings) {
            if (app === null || !(await asksAgain(app, failing.script))) {
                await app?.[Symbol.asyncDispose]();
                app = null;
                app = await connecting(client, failing.script, { drivenClock: true });
            }
            if (!(await failsOn(failing, app, parts, judge)))
                return;
            failing.afterwards?.(app);
        }
        if (app === null || !(await asksAgain(app, null)) || !(await isAccepted(app)))
            await control(client);
    }
    finally {
        await app?.[Symbol.asyncDispose]();
    }
}
async function control(client) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const app = __addDisposableResource(env_1, await client.open(), true);
        await app.join();
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
/** Opens the client under a backend that gives no token, and asks it to connect. */
export async function connecting(client, script, { drivenClock }) {
    const app = await client.open(drivenClock && client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {});
    try {
        app.backend.answer(script);
        await app.signIn();
        await app.connect();
        await app.backendAsked();
        return app;
    }
    catch (error) {
        await app[Symbol.asyncDispose]();
        throw error;
    }
}
/** Whether the client calls its token route once more, by itself or when it is asked to connect. */
async function asksAgain(app, script) {
    const { backend } = app;
    const before = backend.calls().length;
    backend.answer(script);
    try {
        if ((await app.state()) !== 'connecting')
            await app.connect();
    }
    catch (error) {
        if (error instanceof ControlLost)
            return false;
        throw error;
    }
    return (await app.wait(() => backend.calls().length > before, againSeconds)) !== null;
}
async function isAccepted({ signaling, wait }) {
    return (await wait(() => signaling.dials().some(({ outcome }) => outcome === 'accepted'))) !== null;
}
/**
 * One answer that comes and holds no token: nothing is dialled with it, and the attempt comes to an end. Returns
 * whether that holds.
 */
async function failsOn({ name, isAdvice }, app, { configuration }, judge) {
    const { backend } = app;
    const hold = isAdvice === true ? judge.should : judge.must;
    await app.wait(() => backend.calls().at(-1)?.status !== null);
    const answered = backend.calls().length;
    const hasFailed = async () => (await app.state()) === 'failed';
    await app.wait(async () => dialWithoutToken(app, configuration) !== undefined || (await hasFailed()), graceSeconds);
    // Whoever asks again has seen that the attempt failed.
    const isSettled = async () => dialWithoutToken(app, configuration) !== undefined ||
        backend.calls().length > answered ||
        (await app.state()) !== 'connecting';
    // The client's clock is run ahead, and then some real time goes by, for timers that it cannot reach.
    const settles = !app.can('state') ||
        (await app.pump(isSettled, patienceSeconds)) !== null ||
        (await app.wait(isSettled, configuration.limits.clientSettleSeconds)) !== null;
    const ends = hold(settles, {
        saw: `the client still connecting, and its backend not asked again, when the backend ${name}`,
        expected: 'getAuthToken to reject, and the attempt to end or to be made anew',
        evidence: backend.calls().map(({ exchange }) => exchange),
    });
    return judgeDials(app, name, configuration, hold) && ends;
}
/** No dial carries what is no token; the name completes "when the backend …". */
export function judgeDials(app, name, configuration, hold) {
    const dial = dialWithoutToken(app, configuration);
    const credential = dial?.credential ?? null;
    const offered = credential === null
        ? 'no credential'
        : credential === ''
            ? 'an empty credential'
            : 'a credential that is no calling JWT';
    return hold(dial === undefined, {
        saw: `a socket to signaling with ${offered} when the backend ${name}`,
        expected: 'no socket without a calling JWT',
        ...(dial === undefined ? {} : { evidence: [dial.exchange] }),
    });
}
/** A socket that is only to be followed by a message with the token may be open before there is one. */
function dialWithoutToken(app, { signaling }) {
    const access = signaling?.access;
    const isByMessage = access !== undefined && 'profile' in access && access.profile.carriage.in === 'message';
    const issued = new Set(app.issued().map(({ jwt }) => jwt));
    return app.signaling
        .dials()
        .find(({ credential }) => (credential === null ? !isByMessage : !issued.has(credential)));
}
