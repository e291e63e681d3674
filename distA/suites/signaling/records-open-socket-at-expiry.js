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
import { defineCheck } from '../../src/check/check.js';
import { ControlLost } from '../../src/check/judge.js';
/** How long after the end of its token a socket is watched. */
const watchedSeconds = 2;
const shownCharacters = 120;
export default defineCheck({
    id: 'SIG-09',
    role: 'signaling',
    level: 'INFO',
    clauses: ['3'],
    title: 'is seen to keep, warn or close a socket whose token expires',
    why: 'The specification does not say what becomes of a call in progress; a client has to be ready for what happens.',
    how: 'A socket joins with a short-lived token and stays open across its end, beside one with a longer token: what only ' +
        'the first receives, and when it is closed, is recorded.',
    mints: 2,
    needs: ['mint', 'callingTokens', 'expiry', 'signaling'],
    phase: 'expiry',
    async run({ callingTokens, expiry, signaling, newUser }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const hold = async (token) => {
                const made = await signaling.hold({ token: token.jwt, declaredUser: token.userId });
                if (made.outcome === 'accepted')
                    return made.socket;
                throw new ControlLost(`signaling ${made.summary}, offered a fresh calling token`, [made.exchange]);
            };
            const short = await expiry.token(newUser());
            const socket = __addDisposableResource(env_1, await hold(short), true);
            const other = __addDisposableResource(env_1, await hold(await callingTokens.fresh()), true);
            const ended = socket.ended.then((event) => event);
            await Promise.race([ended, expiry.until(short.expiredAt + watchedSeconds * 1000)]);
            const end = socket.events.find(({ type }) => type === 'close' || type === 'error');
            const heardByOther = new Set(other.events.map(({ text }) => text));
            const frames = socket.events
                .filter(({ type, at, text }) => type === 'frame' && at >= short.mayExpireAt && !heardByOther.has(text))
                .map(({ text }) => text.slice(0, shownCharacters));
            const after = (at) => Math.round((at - short.expiredAt) / 100) / 10;
            judge.observe('signaling.openSocketAtExpiry', {
                course: end !== undefined ? 'closed' : frames.length > 0 ? 'told something, and kept' : 'kept',
                ...(end === undefined ? { watchedSeconds } : { afterSeconds: after(end.at), code: end.code ?? null }),
                frames: [...new Set(frames)].slice(0, 3),
            });
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
    },
    catches: {},
});
