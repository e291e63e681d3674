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
const lifetimeSeconds = 60;
const watchedSeconds = 120;
/** Where the clock cannot be run ahead: what comes in this time shows a loop. */
const undrivenSeconds = 15;
const mostPerMinute = 4;
export default defineCheck({
    id: 'CLI-13',
    role: 'client',
    level: 'ADVISORY',
    clauses: [],
    title: 'does not fetch tokens in a loop',
    why: 'Every call of the token route is a mint: a loop runs into the mint’s cap, and takes all users of the project with it.',
    how: 'A user connects with tokens that live for 60 seconds, and stays connected for two minutes of the client’s own ' +
        'clock. More than 4 calls of the token route within any minute are advised against.',
    needs: ['client', 'signalingDouble'],
    async run({ client }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const app = __addDisposableResource(env_1, await client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {}), true);
            app.backend.lifetime(lifetimeSeconds);
            await app.join();
            const isDriven = app.isClockDriven();
            const most = () => mostWithinAMinute(app.backend.calls().map(({ clientAt }) => clientAt));
            await app.pump(() => most() > 2 * mostPerMinute, isDriven ? watchedSeconds : undrivenSeconds);
            judge.observe('client.mintsPerMinute', most());
            judge.advisory(most() <= mostPerMinute, {
                saw: `${most()} calls of the token route within a minute, with tokens that live for ${lifetimeSeconds} s`,
                expected: `at most ${mostPerMinute}`,
                evidence: app.backend
                    .calls()
                    .slice(0, 20)
                    .map(({ exchange }) => exchange),
            });
            if (!isDriven)
                judge.onlyObserved(`seen for ${undrivenSeconds} s only: the timers of this client cannot be run ahead`);
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
    catches: {
        'renews tokens in a loop': { client: { variant: 'tokens renewed in a loop' }, as: 'warn' },
        'fetches a token every second': { client: { variant: 'a token every second' }, as: 'warn' },
    },
});
function mostWithinAMinute(instants) {
    const counts = instants.map((from) => instants.filter((at) => at >= from && at < from + 60_000).length);
    return Math.max(0, ...counts);
}
