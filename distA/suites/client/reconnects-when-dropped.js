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
import { judgeRenewal, openAhead, standOf, untilAsked } from './renewal.js';
export default defineCheck({
    id: 'CLI-08',
    role: 'client',
    level: 'MUST',
    clauses: ['5.6'],
    title: 'mints again and reconnects when its attempts are exhausted',
    why: 'A user whose line comes back after a while must be reachable again, without having to know that they were not.',
    how: 'The open socket of a connected client is cut; its dials are then cut or answered with 503 in turn until it ' +
        'calls its token route again. It must do so, and dial with the new JWT, when its attempts are exhausted: within ' +
        'limits.reconnectSeconds, or where its clock can be run ahead, within ten times as much.',
    needs: ['client', 'signalingDouble'],
    async run(parts, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const app = __addDisposableResource(env_1, await openAhead(parts.client), true);
            await app.join();
            const since = standOf(app);
            let dials = 0;
            untilAsked(app, since, () => (++dials % 2 === 0 ? 'drop' : { http: 503 }));
            app.signaling.dropOpen();
            await judgeRenewal(app, since, 'dropped', parts, judge);
            judge.observe('client.dialsWithOneToken', dials + 1);
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
        'gives up when its attempts are exhausted': {
            client: { variant: 'gives up when its attempts are exhausted' },
        },
        'gives up at once': { client: { variant: 'gives up when it is dropped' } },
        'stays silent': { client: { variant: 'stays silent when it is dropped' } },
        'loops with the stale token': { client: { variant: 'dials with the stale token for ever' } },
        'a program that gives up': {
            client: { form: 'program', variant: 'gives up when it is dropped' },
            configuration: { limits: { reconnectSeconds: 6 } },
        },
        'token captured once': { client: { variant: 'token captured once' } },
    },
});
