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
/** Longer than most services wait, shorter than a run. */
const idleMs = 5000;
export default defineCheck({
    id: 'SIG-10',
    role: 'signaling',
    level: 'INFO',
    clauses: [],
    title: 'is seen to treat a token that is used twice, a second device, and an idle stranger',
    why: 'Whether a token may be shared by two sockets is left open, and how long a stranger may hold a socket, too.',
    how: 'The same token joins twice while the first socket is open; another token of the same user joins besides; a ' +
        'client without a credential says nothing and waits. What happens is recorded.',
    mints: 2,
    needs: ['mint', 'signaling'],
    async run({ mint, signaling, newUser, clock }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const userId = newUser();
            const token = await mint.token(userId);
            const first = await signaling.hold({ token: token.jwt, declaredUser: userId });
            const _ = __addDisposableResource(env_1, first.outcome === 'accepted' ? first.socket : null, true);
            const twice = await signaling.attempt({ token: token.jwt, declaredUser: userId });
            judge.observe('signaling.sameTokenTwice', twice.outcome);
            const device = await mint.token(userId);
            const second = await signaling.attempt({ token: device.jwt, declaredUser: userId });
            judge.observe('signaling.secondDevice', second.outcome);
            const end = first.outcome === 'accepted' ? first.socket.events.find(({ type }) => type === 'close') : null;
            judge.observe('signaling.firstSocketAfterSecond', end == null ? 'kept' : `closed with ${end.code ?? 'no code'}`);
            const startedAt = clock.monotonic();
            const idle = await signaling.hold({ token: null, silent: true, deadlineMs: idleMs });
            if (idle.outcome === 'accepted')
                await idle.socket[Symbol.asyncDispose]();
            const seconds = Math.round((clock.monotonic() - startedAt) / 100) / 10;
            judge.observe('signaling.idleStranger', { after: `${seconds} s`, signaling: idle.summary });
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
